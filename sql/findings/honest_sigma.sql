-- id: findings.honest_sigma
-- title: By the critique's figures Solar and GLM at layer 10 are within chance, layers 0 and 10 of one model are not.
-- documents: critique_results, critique_readme
-- section: Background, 6-2, 6-3, 6-4
-- evidence: printed
-- needs:
-- version: 2
-- reading: 182 is a difference of cosines in units of how much eight of them vary by layer
--   (printed.background); it says nothing about chance. Shuffle the dimensions of one vector: the mean over
--   all shuffles of the cosine is exactly its offset share, and the distance of the true cosine from there in
--   standard deviations is exactly z = r·√(d − 1), the same for cosine and Pearson. So a printed Pearson gives
--   the distance from chance of one pair of vectors. By that measure the "low" baseline, layer 0 against 10 of
--   one model, is further from chance than Solar against GLM. One layer says nothing of the mean over
--   many: that is findings.mean_pearson_over_layers. d = 4096. Observed is z.
-- history: v2: a finding of ours, no longer a claim; without the rows of D-2.1, some of which do
--   not fit experiment 4 (findings.d2_1_against_exp4)
with

width as (
    select max(value) as d
    from printed
    where document = 'critique_results' and metric = 'hidden_size'
),

scores as (
    select
        case section when '6-2' then 'between_models' when '6-3' then 'within_model' else 'layer_0' end as kind,
        case section
            when '6-2' then model_a || '_' || model_b
            when '6-3' then model_a || '_layers_10_20'
            else model_a || '_layers_0_10'
        end as item,
        value * sqrt(d - 1) as z
    from printed
    cross join width
    where section in ('6-2', '6-3', '6-4') and metric = 'pearson'
)

select
    item,
    'plain' as reading,
    case kind
        when 'between_models' then 'two models are within 1.96 standard deviations of chance'
        when 'layer_0' then 'layers 0 and 10 of one model are not, and stand further off than any two models'
        when 'within_model' then 'layers 10 and 20 of one model are more than 10 standard deviations off'
    end as statement,
    case kind
        when 'between_models' then abs(z) < 1.96
        when 'layer_0' then z > 1.96 and z > max(abs(z)) filter (kind = 'between_models') over ()
        when 'within_model' then z > 10
    end as holds,
    z as observed
from scores
order by kind, item
