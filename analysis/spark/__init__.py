"""The lineage test on Apache Spark, from the same SQL files: for lakes that one machine cannot hold."""
