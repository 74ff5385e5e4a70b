import { optionsOf, runSearchBench } from '../bench/search.ts'
import { OURS } from '../bench/search-ours.ts'
import { LIBRARIES } from './search-engines.ts'

/** `npm run bench -w tests/peers -- search`: the bench of the same name, beside the libraries; some six minutes. */
runSearchBench([OURS, ...LIBRARIES], optionsOf(process.argv))
