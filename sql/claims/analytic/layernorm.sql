-- id: analytic.layernorm
-- title: What LayerNorm does: γ·(x − μ)/σ + β, started at γ = 1 and β = 0, scales variances and gradients by γ.
-- documents: sionic_ko, sionic_en
-- section: Scale, 1, A.1
-- evidence: analytic
-- needs:
-- version: 3
-- reading: On 64 inputs x = 5 + 3·sin(i). Formula: with one γ = 2 and β = 1/2 for all, the output has mean β
--   and standard deviation |γ| (ε is left out, as in the document). Start: that γ begins at 1 and β at 0 is a
--   convention of code, which finished weights do not show: undecided. Amplifies: the variance ratio is γ²,
--   above 1 for γ = 3/2 and below 1 for γ = 1/2. Gradient: for the loss Σ y² the derivative by the
--   standardised input, taken as a central difference, is γ times the one by the output. Observed is the
--   largest deviation, for the amplification the ratio at γ = 3/2.
-- history: v2: names the reading of each row
-- history: v3: how norms are initialised is a convention, which a neutral element does not show
with

inputs as (
    select unnest(range(64)) as i, 5 + 3 * sin(i) as x
),

standardised as (
    select i, (x - avg(x) over ()) / stddev_pop(x) over () as z from inputs
),

deviations as (
    select
        abs(avg(2 * z + 0.5) - 0.5) + abs(stddev_pop(2 * z + 0.5) - 2) as formula,
        var_pop(1.5 * z) / var_pop(z) as amplified,
        var_pop(0.5 * z) / var_pop(z) as shrunk,
        max(abs(((2 * (z + 1e-4)) ** 2 - (2 * (z - 1e-4)) ** 2) / 2e-4 - 2 * (2 * (2 * z)))) as gradient
    from standardised
)

select
    unnest([
        'sionic.a1.layernorm_formula',
        'sionic.a1.gamma_init_1',
        'sionic.a1.beta_init_0',
        'sionic.a1.gamma_above_1_amplifies',
        'sionic.scale.gradient_scaled_by_gamma'
    ]) as item,
    'plain' as reading,
    unnest([
        'the output has mean β and standard deviation γ',
        'the values that training starts from are not in finished weights',
        'the values that training starts from are not in the finished biases',
        'the variance grows for γ above 1 and shrinks below, by γ²',
        'the gradient into the standardised input is γ times the one of the output'
    ]) as statement,
    unnest([
        formula < 1e-12,
        null,
        null,
        abs(amplified - 2.25) < 1e-12 and abs(shrunk - 0.25) < 1e-12,
        gradient < 1e-9
    ]) as holds,
    unnest([formula, null, null, amplified, gradient]) as observed
from deviations
