-- one row per two models of the table `slices_known`: what is known, what norms say, what slices say, and the answer
select
    slices_known.* exclude (by_norms, z_norms),
    round(z_norms, 2) as z_norms,
    round(z_order_folded, 2) as z_order_folded,
    round(z_order_plain, 2) as z_order_plain,
    round(z_sign_folded, 2) as z_sign_folded,
    round(z_sign_plain, 2) as z_sign_plain,
    round(z_tokenless_folded, 2) as z_tokenless_folded,
    round(z_tokenless_plain, 2) as z_tokenless_plain,
    round(share_folded, 4) as share_folded,
    round(share_plain, 4) as share_plain,
    case when p < 1e-300 then 0 else format('{:.2e}', p)::double end as p_exact,
    -- what leaves no sign stands in brackets, the same in every row
    split_part(by_norms, ' (', 1) as by_norms,
    lineage_answer(by_norms, said.verdict) as verdict
from slices_known
join slices_told as said using (model_a, model_b)
order by relation, transformation, attacked, model_a, model_b
