-- one row per two models of the table `slices_asked` that share at least 128 anchors: are their tokens alike in the
-- same way? The correlation of the cosines between the embedding rows of the first 128 shared anchors, each less what
-- its row and its column have on average, in one model with those in the other. Rotating an embedding changes nothing
-- It describes and decides nothing, because its null is not that of permuted anchors: of 45 pairs of unrelated small
-- models that learned what tokens mean, 13 are beyond five of its standard deviations (largest 0.12, spread 0.035 where
-- a permutation has 0.011)
with

embeddings as materialized (
    select model, position, slice_rows.anchor, weights, sqrt(inner_product(weights, weights)) as length
    from slice_rows
    join anchors using (anchor)
    where
        matrix = 'embedding'
        and model in (select unnest(list(model_a) || list(model_b)) from slices_asked)
),

shared as (
    select
        model_a, model_b, a.anchor,
        row_number() over (partition by model_a, model_b order by a.position) as place,
        count(*) over (partition by model_a, model_b) as anchors
    from slices_asked
    join embeddings as a on a.model = model_a
    join embeddings as b on b.model = model_b and b.anchor = a.anchor
),

first_anchors as materialized (
    select model_a, model_b, anchor from shared where place <= 128 and anchors >= 128
),

used as materialized (
    select * from embeddings
    where (model, anchor) in (
        select (unnest([model_a, model_b]), anchor) from first_anchors
    )
),

cosines as materialized (
    select
        one.model, one.anchor, other.anchor as other_anchor,
        inner_product(one.weights, other.weights) / nullif(one.length * other.length, 0) as cosine
    from used as one
    join used as other on other.model = one.model and other.anchor <> one.anchor
),

paired as (
    select
        first_anchors.model_a, first_anchors.model_b, a.anchor, a.other_anchor,
        a.cosine as cosine_a, b.cosine as cosine_b
    from first_anchors
    join cosines as a on a.model = first_anchors.model_a and a.anchor = first_anchors.anchor
    join first_anchors as others
        on
            others.model_a = first_anchors.model_a and others.model_b = first_anchors.model_b
            and others.anchor = a.other_anchor
    join cosines as b
        on b.model = first_anchors.model_b and b.anchor = a.anchor and b.other_anchor = a.other_anchor
),

centred as (
    select
        model_a, model_b,
        cosine_a - avg(cosine_a) over of_row - avg(cosine_a) over of_column as cosine_a,
        cosine_b - avg(cosine_b) over of_row - avg(cosine_b) over of_column as cosine_b
    from paired
    window of_row as (partition by model_a, model_b, anchor), of_column as (partition by model_a, model_b, other_anchor)
)

select model_a, model_b, corr(cosine_a, cosine_b) as token_similarity
from centred
group by model_a, model_b
