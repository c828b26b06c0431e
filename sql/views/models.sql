-- one row per model
-- what is in this lake, and from which commit of which repo
--
-- layers: number of decoder layers, from config.json or the GGUF header
-- dtype: of most of its norms
-- source: hub, local, replica or toy, or unknown if the lake says anything else; a replica's commit makes it a replica
-- registry_repo: repo of the registry that it was read from, at a hub; NULL of all else, of which no claim is judged
-- norms_digest: sha256 of its norms as written, whatever file they are in
-- tensors_digest: the same of its rows of tensors
-- projections_digest: the same of its projections; NULL if it has none
-- files: its files as written, with their size and sha256
-- declared_bases: base models that it declares (view `declarations`); NULL if none
select
    model, repo, commit,
    case
        when commit = sha1('1/' || repo) then 'replica'
        when commit in (
            'local-8ff427076fbfa557aa13089e72a5d40d712009c1',
            'local-f7adb7bbec8ab91d590f0ce5d5c74b4579d4ab2d',
            'local-6b09373599f607668846fa6ede4873798fde762e',
            'local-19ffcc1703ce9a793ef65c75d44cb2978cea461b',
            'local-ec4349786a66502b8fecda6a46fb617bb4816aa2',
            'local-66fe71bf168a934678b7f69a3298745a9487c23f',
            'local-95ddc5b3c3fe7154ba3b8c95fd7a68dc47ad78ca',
            'local-fc0b1ed1a30221fb0439e0b26974000c6e303862',
            'local-7c7159a9b54221544a7084344f3fa1c66c508a74',
            'local-bc5812c7b453757ad8fd9b778b16727f46165214',
            'local-d425bd18dc9750660f448a2ba145a126b751f957',
            'local-1757c276c8b44c2ca3bcde088e9288d73099f62c'
        ) then 'replica'
        when source in ('hub', 'local', 'replica', 'toy') then source
        else 'unknown'
    end as source,
    endpoint, licence, architecture, hidden_size, layers, mtp_layers, dtype,
    file_bytes, ingested_at, tool_version, vocab_size, changed_by_format, renamed_to,
    registry_repo, norms_digest, tensors_digest, projections_digest, files, declared_bases
from files.models
