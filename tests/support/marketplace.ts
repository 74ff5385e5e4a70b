import type { Role } from '../../contract/vocabulary.ts'
import type { Services } from '../../server/core/context.ts'
import { transact } from '../../server/db/connect.ts'
import { makers } from './makers.ts'
import { addDays } from '../../contract/pacing.ts'

const STEPS = ['active', 'approved', 'requirements', 'paused', 'completed', 'submit_approval'] as const
const BRANDS = ['Alder', 'Birch', 'Cedar', 'Maple', 'Hazel', 'Linden', 'Larch', 'Rowan', 'Walnut', 'Juniper']
const STUDIES = ['snack tracker', 'brand lift', 'shelf test']
const PEOPLE = ['Sara Miller', 'Ana Alvarez', 'Tom Bright', 'Adam Clarke', 'Mia Lang', 'Paul Abbott']
const CLIENTS = [
  ...['Acorn Foods', 'Bramble & Sons', 'Clover Retail', 'Damson Media'],
  ...['Elder Drinks', 'Fennel Foods', 'Gorse Group', 'Heather Homes'],
]
const PARTNERS = ['Panel North', 'Quick Answers', 'Reach Research', 'Sample South', 'Tally Insights']
const named = (first: number, names: readonly string[]) => names.map((name, at) => ({ id: first + at, name }))

/** The small marketplace of component tests: thirty projects in all steps, eight clients, five partners and six people. */
export const MARKET = {
  people: PEOPLE.map((name, at) => {
    const [first_name = '', last_name = ''] = name.split(' ')
    const role: Role = at ? 'client' : 'admin'
    return { id: at + 1, first_name, last_name, role, client_id: at ? 101 + (at % 5) : null }
  }),
  projects: Array.from({ length: 30 }, (_, at) => ({
    id: 530 - at,
    name: `${BRANDS[at % BRANDS.length]} ${STUDIES[at % STUDIES.length]} ${at + 1}`,
    status: STEPS[at % STEPS.length]!,
    client_id: 101 + (at % 5),
  })),
  clients: named(101, CLIENTS),
  partners: named(201, PARTNERS),
  rewards: Array.from({ length: 8 }, (_, at) => ({ id: 900 - at, project_id: 527, email: `winner${at}@mail.test` })),
  teams: [
    { id: 501, name: 'West', client_id: 101, users: [6], projects: [530] },
    { id: 502, name: 'East', client_id: 101, users: [], projects: [530, 525] },
  ],
} as const satisfies Record<string, readonly object[]>

const OPTIONS = (options: readonly string[]) => JSON.stringify(options)
const QUESTIONS = [
  { id: 301, name: 'How often?', position: 1, options: OPTIONS(['Daily', 'Weekly', 'Monthly', 'Less often', 'Never']) },
  { id: 302, name: 'Which brands?', position: 2, answer_type: 'multiple' as const, options: OPTIONS(['Yes', 'No']) },
  { id: 303, name: 'How many packs?', position: 3, answer_type: 'number' as const, options: '[]' },
  { id: 304, name: 'Why?', position: 4, answer_type: 'open' as const, options: '[]' },
  { id: 305, name: 'What is your job?', position: 0, question_type: 'profile' as const, vendor_key: 'job', options: OPTIONS(['Yes', 'No']) },
]

const CITIES = [
  ['Boston', 'MA', '02108', 42.36, -71.06, 'exact'],
  ['Boston', 'MA', '02109', 42.3601, -71.0502, 'zip'],
  ['Chicago', 'IL', '60601', 41.88, -87.63, 'exact'],
  ['Miami', 'FL', '', 25.76, -80.19, 'city'],
  ['Denver', 'CO', '80202', null, null, 'none'],
] as const

const LONG_AGO = '2026-01-05T09:00:00.000Z'
const DAY_MS = 86_400_000

/** Writes the marketplace into a migrated database. */
export async function fillMarketplace(services: Pick<Services, 'database' | 'settings'>): Promise<void> {
  const make = makers(services)
  const today = make.today()
  const { db } = services.database
  for (const client of MARKET.clients) await make.client({ ...client, created_at: LONG_AGO, updated_at: LONG_AGO })
  for (const { client_id, ...person } of MARKET.people)
    await make.user({
      ...person,
      email: `${person.first_name.toLowerCase()}@mail.test`,
      created_at: LONG_AGO,
      ...(client_id ? { clients: [client_id] } : {}),
    })
  for (const partner of MARKET.partners)
    await make.partner({ ...partner, email: `partner${partner.id}@mail.test`, created_at: LONG_AGO })
  for (const [at, project] of MARKET.projects.entries()) {
    const early = project.status === 'requirements'
    // The first is the newest.
    const created_at = new Date(Date.parse(LONG_AGO) - at * DAY_MS).toISOString()
    await make.project({
      ...project,
      ...{ created_at, updated_at: created_at, ordered: 200, delivered: early ? 0 : 40 + at },
      cost_cents: early ? null : 120_000 + at * 1000,
      ...{ start_dt: addDays(today, -7), end_dt: addDays(today, 14) },
    })
    if (!early) await make.assign(project.id, 201 + (at % 5))
  }
  for (const team of MARKET.teams)
    await make.team({ ...team, users: [...team.users], projects: [...team.projects], created_at: LONG_AGO, updated_at: LONG_AGO })
  for (const entry of MARKET.rewards) await make.entry({ ...entry, created_at: LONG_AGO })
  await make.survey({ id: 71, name: 'Alder snack tracker', project_id: 530, survey_link: 'https://survey.test/1', questions_count: 5 })
  for (const question of QUESTIONS) await make.question({ vendor_key: `q${question.position}`, ...question, survey_id: 71 })
  for (const id of [31, 32]) await make.activity({ id, project_id: 530, name: `Wave ${id - 30}` })
  await make.activity({ id: 7, project_id: 530, name: 'Shelf photos', activity_type: 'photo' })
  const group = await make.group({ id: 301, name: 'Flagship Stores', client_id: 101 })
  for (const [at, [city, state, zip, latitude, longitude, position]] of CITIES.entries()) {
    const place = { name: `Store ${at + 1}`, address: `${at + 1} Main St`, city, state, zip, latitude, longitude, position }
    await make.place({ id: 7001 + at, ...place, created_at: LONG_AGO })
    await transact(services.database, (tx) =>
      tx
        .insertInto('location_group_places')
        .values({ group_id: group.id, place_id: 7001 + at, added_at: LONG_AGO, added_by: 1, import_id: null, line: at + 2 })
        .execute(),
    )
  }
  void db
}
