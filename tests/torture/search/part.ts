import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import type { OracleHit } from '../../unit/search-oracle.ts'
import { answer, changed, openWorld, randomQueries, SHORT, TROUBLE } from '../../unit/search-world.ts'

/** The part `search` of `npm run torture`: all the oracle's queries on `--worlds` from `--seed` (0: random). */
export async function tortureSearch(how: How): Promise<Outcome> {
  const first = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const worlds = how.number('worlds', 20)
  how.say(`seed ${first}: --seed ${first} replays it`)
  const faults: string[] = []
  let asked = 0
  const compare = (what: string, found: OracleHit[], expected: OracleHit[]) => {
    asked++
    const at = expected.findIndex((hit, at) => hit.key !== found[at]?.key || hit.tier !== found[at]?.tier)
    if (at < 0 && found.length === expected.length) return
    const labelOf = (hit?: OracleHit) => (hit ? `${hit.key} (tier ${hit.tier})` : 'nothing')
    const differs = at < 0 ? expected.length : at
    faults.push(`${what}: at ${differs + 1} it finds ${labelOf(found[differs])} and not ${labelOf(expected[differs])}`)
  }
  for (let seed = first; seed < first + worlds; seed++) {
    const world = openWorld(seed)
    const { searcher, truth } = world
    const names = TROUBLE.map(({ name }) => name)
    for (const query of [...SHORT, ...names, ...randomQueries(world, 700, seed + 11)])
      compare(`seed ${seed}, “${query}”`, answer(searcher, query), truth(query))
    const kinds = ['client', 'thing']
    for (const query of randomQueries(world, 200, seed + 12))
      compare(`seed ${seed}, “${query}” among clients and things`, answer(searcher, query, kinds), truth(query, kinds))
    const now = changed(world, seed + 5)
    if (now.live.size !== now.entities.length)
      faults.push(`seed ${seed}: ${now.live.size} names instead of ${now.entities.length}`)
    for (const query of randomQueries(world, 150, seed + 21))
      for (const which of ['live', 'rebuilt', 'repacked'] as const)
        compare(`seed ${seed}, “${query}” after changes, ${which}`, answer(now[which], query), now.truth(query))
    how.say(`${seed - first + 1} worlds, ${asked} queries, ${faults.length} wrong`)
  }
  return { figures: { 'queries asked': asked }, faults }
}
