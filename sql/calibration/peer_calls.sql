-- one row per two models of the table `known`, whose relation is known, and rule: does it call them related?
-- origin_a, origin_b: what both come from (table `origins`)
-- Rules that others published or used, on the norm weights of both models that have the same layer, type and width
--   mean cosine above 0.9        below the 0.981 to 0.992 that the accusation calls evidence
--   concatenated cosine          all norms as one long vector (signal NLF of Cisco's Model Provenance Kit, which
--                                combines it with others, and whose documentation expects about 0.50 of independent
--                                models; here above 0.75)
--   cosine above layer 0's       the mean cosine is more than three standard deviations above the cosines of either
--                                model's layer 0 with its own further layers
--   mean Pearson above 0.5       the correlation about the mean
--   normhouse                    the lineage test
with

lengths as (
    select model, layer, ln_type, l2_norm from vectors
),

concatenated as (
    select
        model_a, model_b,
        sum(cosine * a.l2_norm * b.l2_norm) / sqrt(sum(a.l2_norm ** 2) * sum(b.l2_norm ** 2)) as cosine_of_all
    from matched_norms() as norms
    join lengths as a on a.model = model_a and a.layer = norms.layer and a.ln_type = norms.ln_type
    join lengths as b on b.model = model_b and b.layer = norms.layer and b.ln_type = norms.ln_type
    group by model_a, model_b
),

used as (
    select model, layer, ln_type, l2_norm, weights
    from lineage_norms
    where kind = 'weights' and dropped is null and layer >= 0
),

first_layers as (
    select
        first.model,
        avg(inner_product(first.weights, other.weights) / (first.l2_norm * other.l2_norm)) as mean,
        stddev_samp(inner_product(first.weights, other.weights) / (first.l2_norm * other.l2_norm)) as std
    from used as first
    join used as other on other.model = first.model and other.ln_type = first.ln_type and other.layer > 0
    where first.layer = 0
    group by first.model
),

judged as (
    select
        known.model_a, known.model_b, from_a.origin as origin_a, from_b.origin as origin_b, relation, transformation,
        kind, cosine, pearson, cosine_of_all, verdict,
        greatest(a.mean + 3 * a.std, b.mean + 3 * b.std) as baseline
    from known
    left join concatenated using (model_a, model_b)
    join origins as from_a on from_a.model = known.model_a
    join origins as from_b on from_b.model = known.model_b
    left join first_layers as a on a.model = known.model_a
    left join first_layers as b on b.model = known.model_b
),

rules as (
    select
        model_a, model_b, origin_a, origin_b, relation, transformation, kind,
        unnest([
            'mean cosine above 0.9', 'concatenated cosine above 0.75', 'cosine above layer 0''s',
            'mean Pearson above 0.5', 'normhouse'
        ]) as rule,
        unnest([
            cosine > 0.9, cosine_of_all > 0.75, cosine > baseline, pearson > 0.5, verdict = 'share weight history'
        ]) as is_called
    from judged
)

select distinct * from rules
where is_called is not null
