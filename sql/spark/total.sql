-- a sum; its last digits depend on the order in which executors add: an aggregate
create macro total(x) as sum(x)
