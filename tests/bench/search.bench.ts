import { runSearchBench } from './search.ts'

/** `npm run bench -- search [--quick]`: search at 10,000, 100,000 and 1,000,000 names beside the libraries; some ten minutes. */
runSearchBench({ million: true, quick: process.argv.includes('--quick'), silent: false })
