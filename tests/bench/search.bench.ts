import { optionsOf, runSearchBench } from './search.ts'

/** `npm run bench -- search`: search at 10,000, 100,000 and 1,000,000 names beside the libraries; some six minutes. */
runSearchBench(optionsOf(process.argv))
