-- one row per check and run of the claims
-- what each claim said when, on which lake and by which query
select
    run, run_at, claim, version, sql_sha256, fingerprint, item, expected, tolerance, observed, holds, verdict
from files.ledger
