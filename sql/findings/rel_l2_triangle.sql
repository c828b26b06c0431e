-- id: findings.rel_l2_triangle
-- title: The three relative distances of section 4.4 do not share the base that its formula names.
-- documents: hyunwoong
-- section: 4.4
-- evidence: printed
-- needs:
-- version: 2
-- reading: rel_l2(a, b) = ‖a − b‖ / ‖a‖, the first-named model below the line; the text adds that the base may
--   change with the code, and with it the figure. Solar-GLM 1.96, Solar-Phi 0.12, Phi-GLM 0.64. In units of
--   Solar's length, Phi is at most 1.12 long and, by the triangle inequality, at least 1.96 − 0.12 from GLM,
--   so Phi-GLM over Phi is at least 1.64: not what is printed. Over GLM, which is at most 2.96 long, 0.64 is
--   possible. So 1.96 and 0.64 are over different models and not to be held against each other as they stand.
--   Figures are taken at the end of their rounding that helps. Observed is the least Phi-GLM over either.
-- history: v2: a finding of ours, no longer a claim; without "three times nearer", which nobody said
with

figures as (
    select
        max(value) filter (item = 'hyunwoong.s4_4.rel_l2.solar_glm') as solar_glm,
        max(value) filter (item = 'hyunwoong.s4_4.rel_l2.solar_phi') as solar_phi,
        max(value) filter (item = 'hyunwoong.s4_4.rel_l2.phi_glm') as phi_glm,
        max(half_digit) as h
    from printed
    where section = '4.4' and metric = 'rel_l2' and scope is null
),

bounds as (
    select
        phi_glm + h as phi_glm_high,
        (solar_glm - solar_phi - 2 * h) / (1 + solar_phi + h) as least_over_phi,
        (solar_glm - solar_phi - 2 * h) / (1 + solar_glm + h) as least_over_glm
    from figures
)

select
    unnest(['over_phi', 'over_glm']) as item,
    'plain' as reading,
    unnest([
        'over Phi, Phi-GLM would be larger than printed',
        'over GLM, Phi-GLM can be as small as printed'
    ]) as statement,
    unnest([least_over_phi > phi_glm_high, least_over_glm <= phi_glm_high]) as holds,
    unnest([least_over_phi, least_over_glm]) as observed
from bounds
