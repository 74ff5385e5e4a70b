import { buildWorkspace } from '../../../scripts/build.ts'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { ENDS, type End, walk, walked } from '../../e2e/focus-walk.ts'
import { goneRecords } from '../../e2e/goneRecords.ts'
import { login } from '../../e2e/verbs.ts'
import { startServer } from '../../support/server.ts'
import { openBrowser } from '../browser.ts'
import { randomOf } from '../random.ts'

/**
 * The part `focus` of `npm run torture`: all commands or a `--part` of them, to all ends or one, from `--seed`.
 * With `--minutes` it ends by then, and names the commands that it didn't reach; `--ids a,b` names those to walk.
 */
export async function tortureFocus(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const most = how.number('commands', 0) || Number.POSITIVE_INFINITY
  const minutes = how.number('minutes', 0)
  const named = how.word('ids', 'all')
  const ids: readonly string[] | null = named === 'all' ? null : named.split(',')
  const [part, parts] = partOf(how.word('part', '1/1'))
  how.say(`seed ${seed}: --seed ${seed} replays it`)
  await buildWorkspace()
  const server = await startServer({ ...(await how.database()), DEMO: 'demo' }, undefined, 300)
  // Filling the marketplace may take minutes on a busy machine.
  const until = minutes ? Date.now() + minutes * 60_000 : Number.POSITIVE_INFINITY
  const browser = await openBrowser()
  const figures: Record<string, string | number> = {}
  const faults: string[] = []
  let absent: string[] | undefined
  try {
    const only = how.word('end', 'all')
    for (const end of ENDS.filter((end) => only === 'all' || end === only)) {
      const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 }, locale: 'en-US' })
      const page = await context.newPage()
      await page.goto('/login')
      await login(page, 'admin', 'own')
      const known = await goneRecords(page)
      const random = randomOf(seed + ENDS.indexOf(end))
      const all = walked()
        .map((id) => ({ id, at: random.next() }))
        .sort((a, b) => a.at - b.at)
        .filter(({ id }, at) => (ids ? ids.includes(id) : at % parts === part - 1))
        .slice(0, most)
      how.say(`${all.length} of ${walked().length} commands, ${end}`)
      let run = 0
      const found = await walk(
        page,
        all.map(({ id }): [typeof id, End] => [id, end]),
        {
          seed: seed + ENDS.indexOf(end),
          until,
          known,
          say: (line) => {
            run++
            if (!/: (well|absent)$/.test(line)) how.say(line)
            else if (run % 50 === 0) how.say(`${run} of ${all.length} ${end}`)
          },
        },
      )
      figures[`commands ${end}`] = found.runs
      figures[`writes of those ${end}`] = found.writes
      const missed = all.slice(found.runs).map(({ id }) => id)
      if (missed.length) figures[`commands not reached, ${end}`] = missed.join(' ')
      faults.push(...found.wrong)
      // A command that one run finds nowhere may appear in another: an earlier command had taken its record.
      absent = absent?.filter((id) => found.absent.includes(id)) ?? found.absent
      await context.close()
    }
  } finally {
    await browser.close()
    await server.stop()
  }
  return { figures: { ...figures, 'commands that no run could find': absent?.join(' ') || 'none' }, faults }
}

/** Reads "2/9", the second of nine parts; together they have every command once. */
function partOf(text: string): [part: number, parts: number] {
  const [part = 0, parts = 0] = text.split('/').map(Number)
  if (!(Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts))
    throw new Error(`--part is one of several, such as 2/9, not "${text}".`)
  return [part, parts]
}
