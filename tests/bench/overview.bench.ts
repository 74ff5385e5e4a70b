// The Overview's cost at mid size and with ten times the respondents, on SQLite and PostgreSQL if it starts:
// `node tests/bench/overview.bench.ts [--rounds 60] [--engine sqlite|postgres]`.
// Every second typical project (300 to 1,000 completes) gets nine times its respondents more, by the normal intake.
// Then the real server is asked over HTTP for both kinds in turns, so a busy moment affects both.
// Best, p50 and p95 in ms; on a shared machine the best shows the work of a call.
import { parseArgs } from 'node:util'
import { civilToday } from '../../contract/pacing.ts'
import { type Database, transact } from '../../server/db/connect.ts'
import { calendarOf } from '../../server/demo/calendar.ts'
import { amountsOf } from '../../server/demo/demoNouns.ts'
import { piecesOf, respondentsOf } from '../../server/demo/field.ts'
import { planMarket } from '../../server/demo/market.ts'
import { fillingOf } from '../../server/domain/demoState.ts'
import { ingest } from '../../server/domain/runtime/intake.ts'
import { onBothEngines, quantile, type Served } from './served.ts'

const { values } = parseArgs({ options: { engine: { type: 'string', default: '' }, rounds: { type: 'string', default: '60' } } })
const [ROUNDS, PAIRS, TIMES] = [Number(values.rounds), 10, 10]
const WIDGETS = [
  ...['summary', 'gender', 'age', 'hhi', 'children', 'ethnicity', 'marital_status'],
  ...['geoaddress', 'delivery_trend', 'funnel', 'user_responses'],
]
const FILTER = '?ageRange[]=2&ageRange[]=3&gender[]=female&hhi[]=3&hhi[]=4'

type Subject = { project: number; survey: number }
type Subjects = { once: Subject[]; tenfold: Subject[]; respondents: { once: number; tenfold: number } }

/** Picks the projects, and makes every second one ten times as big. */
async function grow(database: Database): Promise<Subjects> {
  const filling = await fillingOf(database.db)
  if (filling.is !== 'demo') throw new Error('This is no demo database.')
  const { state } = filling
  const now = new Date(state.now)
  const market = planMarket(
    state.seed,
    amountsOf(state.size),
    calendarOf(now, civilToday(state.timeZone, now), state.timeZone),
    state.passwords,
  )
  const typical = market.plans
    .flatMap((plan) =>
      plan.activities.flatMap((activity) => (activity.survey ? [{ plan, activity, survey: activity.survey }] : [])),
    )
    .filter(({ plan, survey }) => !plan.hasChildren && survey.completes >= 300 && survey.completes <= 1000)
    .sort((a, b) => a.survey.completes - b.survey.completes || a.survey.id - b.survey.id)
  const step = Math.floor(typical.length / (2 * PAIRS))
  const picked = Array.from({ length: 2 * PAIRS }, (_, at) => typical[at * step]!)
  const subjects: Subjects = { once: [], tenfold: [], respondents: { once: 0, tenfold: 0 } }
  for (const [at, { plan, activity, survey }] of picked.entries()) {
    const kind = at % 2 ? 'tenfold' : 'once'
    subjects[kind].push({ project: plan.id, survey: survey.id })
    subjects.respondents[kind] += survey.sessions * (kind === 'once' ? 1 : TIMES)
    if (kind === 'once') continue
    const more = { ...survey, sessions: survey.sessions * (TIMES - 1), completes: survey.completes * (TIMES - 1) }
    for (const piece of piecesOf(more)) {
      const further = { ...piece, nth: piece.nth + 1000, from: piece.from + survey.sessions }
      const rows = respondentsOf(
        market.seed,
        plan,
        further,
        market.audienceOf(plan, activity),
        market.brandOf(plan),
        market.calendar,
      )
      await transact(database, (tx) => ingest(database, tx, { id: survey.id, project_id: plan.id }, rows, { trusted: true }))
    }
  }
  return subjects
}

async function bench({ engine, get }: Served, { once, tenfold, respondents }: Subjects): Promise<void> {
  console.log(
    `${engine}: ${once.length} projects with ${Math.round(respondents.once / once.length).toLocaleString('en')} respondents on average, ${tenfold.length} with ${Math.round(respondents.tenfold / tenfold.length).toLocaleString('en')}`,
  )
  const addresses: [string, (subject: Subject) => string][] = [
    ['(floor: healthz)', () => '/healthz'],
    ['overview (all in one)', (subject) => `/v3/portal/projects/${subject.project}/overview`],
    ...WIDGETS.map((widget): [string, (subject: Subject) => string] => [
      widget,
      (subject) => `/v3/portal/surveys/runtime/${subject.survey}/${widget}`,
    ]),
  ]
  const lines: Record<string, unknown>[] = []
  for (const [call, urlOf] of addresses) {
    const line: Record<string, unknown> = { engine, call }
    for (const [filtered, query] of [
      ['', ''],
      [' filtered', FILTER],
    ] as const) {
      if (filtered && call.startsWith('(')) continue
      const times = { once: [] as number[], tenfold: [] as number[] }
      for (let round = 0; round < ROUNDS; round++) {
        times.once.push(await get(urlOf(once[round % once.length]!) + query))
        times.tenfold.push(await get(urlOf(tenfold[round % tenfold.length]!) + query))
      }
      Object.assign(line, {
        [`best${filtered}`]: quantile(times.once, 0),
        [`best ×10${filtered}`]: quantile(times.tenfold, 0),
        [`p50${filtered}`]: quantile(times.once, 0.5),
        [`p95${filtered}`]: quantile(times.once, 0.95),
        [`p50 ×10${filtered}`]: quantile(times.tenfold, 0.5),
        [`p95 ×10${filtered}`]: quantile(times.tenfold, 0.95),
      })
    }
    lines.push(line)
  }
  console.table(lines)
}

await onBothEngines(grow, bench, values.engine)
