-- one row per figure that a document prints, in `printed`
-- which numbers a printed figure can stand for, and how the document writes it
--
-- metric: which quantity, under one name: the centred cosine is called pearson, which it is
-- bottom: the smallest number it can stand for, half a digit below what is printed; -inf below an upper bound
-- top: the largest, likewise; inf above a lower bound. The end of an inequality is where it is printed
-- is_approximate: said to be about so much
-- figure: as the document writes it: in the digits printed, or as `note` spells it (90%, FP16)
with

figures as (
    from printed
),

with_ends as (
    select
        * replace (case metric when 'centered_cosine' then 'pearson' else metric end as metric),
        coalesce(value - half_digit, low - case when high is null then 0 else half_digit end, '-inf') as bottom,
        coalesce(value + half_digit, high + case when low is null then 0 else half_digit end, 'inf') as top,
        relation in ('≈', 'approx_range') as is_approximate
    from figures
),

with_words as (
    select
        *,
        case when relation in ('=', 'range') then '' when is_approximate then '≈ ' else relation || ' ' end as stated,
        nullif(regexp_extract(note, '^printed ([^ ;]+)(;|$)', 1), '') as spelled,
        case when half_digit > 0 then greatest(0, round(-log10(2 * half_digit)))::integer else 0 end as digits,
        concat_ws(
            ' to ', format('{:.{}f}', coalesce(value, low, high), digits),
            case when low < high then format('{:.{}f}', high, digits) end
        ) as digits_printed
    from with_ends
)

select
    document, section, item, model_a, layer_a, model_b, layer_b, ln_type, metric, scope, aggregate, half_digit,
    bottom, top, is_approximate, stated || coalesce(spelled, digits_printed) as figure
from with_words
