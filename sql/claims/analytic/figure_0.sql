-- id: analytic.figure_0
-- title: The two example vectors of Figure 0: cosine 0.96 at 17 degrees, Pearson -0.60 at 127 degrees.
-- documents: sionic_ko, sionic_en
-- section: 1 Figure 0
-- evidence: analytic
-- needs:
-- version: 2
-- reading: The vectors are not printed; these are the ones that the document's script for the figure draws
--   (V1 and V2). Two further items ask whether the printed angle belongs to the printed cosine beside it:
--   0.96 is 16.26 degrees and would be printed as 16, but a cosine that rounds to 0.96 may be 0.955, which is
--   17.25 degrees, so their tolerance adds the angle that half a digit of the cosine makes.
-- history: v2: names the reading of each row
with

vectors (dim, a, b) as (
    values (1, 0.95, 0.70), (2, 0.70, 1.05), (3, 0.72, 0.72)
),

compared as (
    select
        sum(a * b) / sqrt(sum(a * a) * sum(b * b)) as cosine,
        corr(a, b) as pearson
    from vectors
),

claimed as (
    select distinct item, value, half_digit
    from printed
    where item like 'sionic.fig0.%'
),

cosine_beside as (
    select
        case item
            when 'sionic.fig0.cosine' then 'sionic.fig0.angle_of_0_96'
            else 'sionic.fig0.angle_of_minus_0_60'
        end as item,
        degrees(acos(value)) as angle,
        abs(degrees(acos(value - half_digit)) - degrees(acos(value))) as slack
    from claimed
    where item in ('sionic.fig0.cosine', 'sionic.fig0.pearson')
)

select
    claimed.item,
    'plain' as reading,
    claimed.value as expected,
    claimed.half_digit + coalesce(cosine_beside.slack, 0) as tolerance,
    case claimed.item
        when 'sionic.fig0.cosine' then cosine
        when 'sionic.fig0.angle_raw' then degrees(acos(cosine))
        when 'sionic.fig0.pearson' then pearson
        when 'sionic.fig0.angle_centered' then degrees(acos(pearson))
        else cosine_beside.angle
    end as observed
from claimed
left join cosine_beside using (item)
cross join compared
order by claimed.item
