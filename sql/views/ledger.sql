-- one row per reading of an item and run of the claims
-- what each claim said when, on which lake and by which query
select
    run, run_at, claim, version, sql_sha256, fingerprint, item, reading, expected, tolerance,
    observed, holds, verdict
from files.ledger
