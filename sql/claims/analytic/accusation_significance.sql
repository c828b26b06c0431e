-- id: analytic.accusation_significance
-- title: An effect size of 182 sigma, and a z-score of 485, make the P-values that are printed beside them.
-- documents: accusation, accusation_report
-- section: lines 32, 220; report lines 17, 170-175, 241
-- evidence: analytic
-- needs:
-- version: 1
-- reading: z: 0.97 over the printed spread of the null, 0.002. P below 10^-300: the normal tail at that z; whether
--   the null has that centre and that spread is another item (accusation.independent_models). P below 10^-1000:
--   plain, the normal tail at 182, by x²/2 + log(x·√(2π)) an upper bound. But 182 is an effect size, not the
--   statistic of a test. t_test: Student's t of the four cosines within GLM against the four between the models is
--   the effect size with deviations of a sample times √2, here 223 on 6 degrees of freedom, of which a tail is at
--   least that of t with the leading term (c/t)⁶. permutations: of the 70 ways to part eight values into four and
--   four, none has a chance below 1/70. Observed is log10 of P. Practically 0: below 10^-10.
with

figures as (
    select
        max(value) filter (item like '%.effect_size_182') as effect,
        max(high) filter (item like '%readme.p_value') as log10_p,
        max(high) filter (item like '%report.p_300') as log10_p_of_z,
        max(value) filter (item like '%sig.observed_0_97') as cosine,
        max(value) filter (item like '%sig.null_0_002' and aggregate = 'std') as spread,
        max(value) filter (item like '%sig.z_485') as z
    from printed
    where item like 'accusation.%'
),

tails as (
    select
        *,
        -(effect ** 2 / 2 + ln(effect * sqrt(2 * pi()))) / ln(10) as log10_tail,
        -(z ** 2 / 2 + ln(z * sqrt(2 * pi()))) / ln(10) as log10_tail_of_z,
        -- two sides of t on 6 degrees: 2 · Γ(3.5) / (√(6π) · Γ(3)) · 6^3.5 / 6 · t^-6, for t far above 6
        log10(2 * 3.3233509704478426 / (sqrt(6 * pi()) * 2) * 6 ** 3.5 / 6)
        - 6 * log10(effect * sqrt(0.75) * sqrt(2)) as log10_t_test,
        log10(1 / 70) as log10_permutations
    from figures
),

checks (item, reading, statement, holds, observed) as (
    select 'readme.p_value', 'plain', 'the normal tail at 182 is below it', log10_tail < log10_p, log10_tail
    from tails
    union all
    select 'readme.p_value', 't_test', 'so is the P of a t-test', log10_t_test < log10_p, log10_t_test
    from tails
    union all
    select
        'readme.p_value', 'permutations', 'so is the smallest P of four against four values',
        log10_permutations < log10_p, log10_permutations
    from tails
    union all
    select 'readme.p_practically_zero', 'plain', 'the normal tail at 182 is below 10^-10', log10_tail < -10, log10_tail
    from tails
    union all
    select 'readme.p_practically_zero', 't_test', 'so is the P of a t-test', log10_t_test < -10, log10_t_test
    from tails
    union all
    select
        'readme.p_practically_zero', 'permutations', 'so is the smallest P of four against four values',
        log10_permutations < -10, log10_permutations
    from tails
    union all
    select
        'report.p_300', 'plain', 'the normal tail at the printed z is below it', log10_tail_of_z < log10_p_of_z,
        log10_tail_of_z
    from tails
    union all
    select
        'report.sig.z_485', 'plain', 'the cosine over the spread of the printed null', abs(cosine / spread - z) <= 0.5,
        cosine / spread
    from tails
)

select 'accusation.' || item as item, reading, statement, holds, observed
from checks
order by item, reading = 'plain' desc, reading
