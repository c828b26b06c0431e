-- one row per model of the init experiment
-- how well the four small GPT-2 models learned their sequences
--
-- stream: which arithmetic sequence it learned
-- size: small or published, the width and depth trained
-- steps: of training
-- first_loss: cross-entropy at the first step
-- last_loss: cross-entropy at the last step
-- has_learned: whether the last loss is below 0.1, so that the right token gets a probability above 0.9
select model, stream, size, steps, first_loss, last_loss, last_loss < 0.1 as has_learned
from files.toy_losses
