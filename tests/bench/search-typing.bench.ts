/*
 * `npm run bench -- search-typing [--sizes=100000,1000000]`: an outsider's queries, letter by letter, unlimited.
 * Prints each query whose wanted row loses the first place with the next letter of a word; takes half a minute.
 */
import { buildIndex } from '../../src/search/build.ts'
import { openIndex } from '../../src/search/searcher.ts'
import { lostWhileTyping, outsiderWorld, printLost, typedQueries } from './quality.ts'

const sizes = process.argv.find((argument) => argument.startsWith('--sizes='))?.slice('--sizes='.length) ?? '100000'
const asked = typedQueries().filter(({ want }) => want !== null)

for (const size of sizes.split(',').map(Number)) {
  const { entities, frecency } = outsiderWorld(size)
  console.log(`\n${size.toLocaleString('en')} names`)
  printLost(lostWhileTyping(openIndex(buildIndex(entities, frecency)), asked), asked.length)
}
