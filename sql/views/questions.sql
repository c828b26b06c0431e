-- one row per question that people ask most, on models of this lake
-- where to begin; `macros_and_views` has the rest
--
-- question: in words
-- ask: the query that answers it
with

names as (
    select
        coalesce(max(model) filter (model = 'solar'), min(model), 'solar') as a,
        coalesce(max(model) filter (model = 'glm'), max(model), 'glm') as b
    from models
),

quoted as (
    select '''' || replace(a, '''', '''''') || '''' as a, '''' || replace(b, '''', '''''') || '''' as b
    from names
)

select
    unnest([
        {'question': 'Which models are here, and where are they from?', 'ask': 'from models'},
        {'question': 'How alike are two models, layer by layer?', 'ask': format('from compare({}, {})', a, b)},
        {'question': 'And on average over their layers?', 'ask': format('from summary({}, {})', a, b)},
        {'question': 'Do they share weight history?', 'ask': format('from lineage({}, {})', a, b)},
        {'question': 'Which models share weight history with one?', 'ask': format('from nearest({})', a)},
        {'question': 'How alike are all models at one layer?', 'ask': 'from similarity_matrix(10)'},
        {'question': 'How alike are layers of one model?', 'ask': format('from within({}, [10, 20, 30])', a)},
        {'question': 'Where do the documents disagree?', 'ask': 'from contradictions'},
        {'question': 'What did others measure on released weights?', 'ask': 'from measured_elsewhere'},
        {'question': 'What else is there to ask?', 'ask': 'from macros_and_views'}
    ], max_depth := 2)
from quoted
