import { optionsOf, runSearchBench } from './search.ts'
import { OURS } from './search-ours.ts'

/** `npm run bench -- search`: search at 10,000, 100,000 and 1,000,000 names, by class of query. */
runSearchBench([OURS], optionsOf(process.argv))
