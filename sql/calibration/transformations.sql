-- one row per transformation of the zoo: how many of its children the test finds, and what each statistic sees
-- rates count related pairs above every independent pair, so each statistic gets the threshold that makes no
-- mistake here; found counts our verdict; auc is the chance that a related pair is above an unrelated or
-- independent one, NULL where the statistic is undefined (constant norms)
with

statistics as (
    unpivot (select * from known where relation <> 'independent' or transformation is null)
    on cosine, pearson, z_naive, z_eff into name statistic value value
),

highest as (
    select statistic, max(value) as value from statistics where relation = 'independent' group by statistic
),

positives as (
    from statistics where relation = 'related'
),

negatives as (
    select distinct t.transformation, s.statistic, s.model_a, s.model_b, s.value
    from (select distinct transformation from known where relation = 'related') as t
    join statistics as s
        on s.relation = 'independent' or (s.relation = 'unrelated' and s.transformation = t.transformation)
),

areas as (
    select
        transformation, statistic,
        avg(case when p.value > n.value then 1.0 when p.value = n.value then 0.5 else 0.0 end) as auc
    from positives as p
    join negatives as n using (transformation, statistic)
    group by all
),

rates as (
    select transformation, statistic, avg((p.value > h.value)::integer) as rate
    from positives as p
    join highest as h using (statistic)
    group by all
),

measured as (
    select
        transformation,
        max(auc) filter (statistic = 'cosine') as cosine_auc,
        max(auc) filter (statistic = 'pearson') as pearson_auc,
        max(auc) filter (statistic = 'z_naive') as z_naive_auc,
        max(auc) filter (statistic = 'z_eff') as z_eff_auc,
        max(rate) filter (statistic = 'cosine') as cosine_rate,
        max(rate) filter (statistic = 'pearson') as pearson_rate,
        max(rate) filter (statistic = 'z_naive') as z_naive_rate,
        max(rate) filter (statistic = 'z_eff') as z_eff_rate
    from areas
    join rates using (transformation, statistic)
    group by transformation
),

found as (
    select
        transformation, kind,
        count(*) as pairs,
        count_if(verdict = 'share weight history')::integer as found,
        count_if(starts_with(verdict, 'cannot tell'))::integer as cannot_tell,
        median(pearson) as pearson_median,
        min(z_eff) as z_eff_min,
        median(z_eff) as z_eff_median,
        -- why there is no z, if there is none
        max(split_part(verdict, ': ', 2)) filter (z_eff is null) as not_compared
    from known
    where relation = 'related'
    group by all
)

select *
from found
left join measured using (transformation)
order by
    list_position(['child', 'same start', 'distilled', 'disguise'], kind), found / pairs desc, transformation
