-- id: printed.rel_l2_triangle
-- title: The three relative distances of section 4.4 fit together.
-- documents: hyunwoong
-- section: 4.4
-- evidence: printed
-- needs:
-- version: 1
-- reading: rel_l2(a, b) = ‖a − b‖ / ‖a‖, the first-named model below the line: Solar-GLM 1.96, Solar-Phi 0.12,
--   Phi-GLM 0.64. In units of Solar's length, Phi is at most 1.12 long and, by the triangle inequality, at
--   least 1.96 − 0.12 from GLM, so Phi-GLM over Phi is at least 1.64. Over GLM, which is at most 2.96 long, 0.64
--   is possible. But with GLM below both lines, Solar-GLM is to Phi-GLM as ‖S − G‖ to ‖P − G‖, at most
--   1.96 / 1.84: Phi is not three times nearer to GLM than Solar is. Figures are taken at the end of their
--   rounding that helps. Observed is the least Phi-GLM over Phi, over GLM, and the largest such ratio.
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
        (solar_glm - solar_phi - 2 * h) / (1 + solar_glm + h) as least_over_glm,
        (solar_glm + h) / (solar_glm - solar_phi - 2 * h) as most_apart
    from figures
)

select
    unnest([
        'printed.rel_l2_triangle.over_phi',
        'printed.rel_l2_triangle.over_glm',
        'printed.rel_l2_triangle.three_times_nearer'
    ]) as item,
    unnest([
        'Phi-GLM over Phi can be as small as printed',
        'Phi-GLM over GLM can be as small as printed',
        'over GLM, Solar can be three times as far as Phi'
    ]) as statement,
    unnest([
        least_over_phi <= phi_glm_high,
        least_over_glm <= phi_glm_high,
        most_apart >= 3
    ]) as holds,
    unnest([least_over_phi, least_over_glm, most_apart]) as observed
from bounds
