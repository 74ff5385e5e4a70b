import type { Output } from '../../contract/calls.ts'
import { addDays } from '../../contract/pacing.ts'
import type { Role } from '../../contract/vocabulary.ts'
import { insertMany } from '../../server/db/connect.ts'
import { rowOf } from '../../server/demo/rowDefaults.ts'
import type { Portal } from './portal.ts'

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

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T
/** All tests share it: what one of them changes is the database. */
function frozen<T extends object>(data: T): Frozen<T> {
  for (const part of Object.values(data)) if (typeof part === 'object' && part) frozen(part)
  return Object.freeze(data) as Frozen<T>
}

/** The marketplace of component tests: thirty projects in all steps, eight clients, five partners and six people. */
export const MARKET = frozen({
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
})

const json = (options: readonly string[]) => JSON.stringify(options)
const SCALE = json(['Strongly agree', 'Agree', 'Neither agree nor disagree', 'Disagree', 'Strongly disagree'])
/** Survey 71, whose answers are few, and survey 72, with 1,240 completes. */
export const QUESTIONS = {
  71: [
    { id: 301, name: 'How often?', options: json(['Daily', 'Weekly', 'Monthly', 'Less often', 'Never']) },
    { id: 302, name: 'Which brands?', answer_type: 'multiple', options: json(['Yes', 'No']) },
    { id: 303, name: 'How many packs?', answer_type: 'number', options: '[]' },
    { id: 304, name: 'Why?', answer_type: 'open', options: '[]' },
    {
      id: 305,
      name: 'What is your job?',
      question_type: 'profile',
      position: 0,
      vendor_key: 'job',
      options: json(['Yes', 'No']),
    },
  ],
  72: [
    {
      id: 11,
      name: 'How often do you eat savory snacks at home?',
      options: json(['Every day', 'Several times a week', 'Once a week', 'Less often', 'Never']),
    },
    {
      id: 12,
      name: 'Which of these brands have you bought in the last four weeks?',
      answer_type: 'multiple',
      options: json(['Alder Crisps', 'Birch & Sons Kettle Cooked Potato Chips', 'Cedar Bites', 'Maple Crunch', 'None of these']),
    },
    { id: 13, name: 'The new packaging of Birch & Sons makes me want to try it.', options: SCALE },
    { id: 14, name: 'How much did you spend on snacks last week, in dollars?', answer_type: 'number', options: '[]' },
    { id: 15, name: 'What would make you buy this product more often?', answer_type: 'open', options: '[]' },
    {
      id: 16,
      name: 'Where do you usually buy snacks?',
      options: json(['Supermarket', 'Convenience store', 'Online', 'Gas station', 'Total', 'Vending machine']),
    },
    {
      id: 17,
      name: 'Who do you share snacks with?',
      answer_type: 'multiple',
      options: json(['Partner', 'Children', 'Friends', 'Colleagues', 'Nobody']),
    },
    { id: 18, name: 'I would recommend this product to a friend.', options: SCALE },
    {
      id: 19,
      name: 'How did you first hear about the product?',
      options: json(['In a store', 'From a friend', 'Television', 'Social media', 'Online ad', 'Other']),
    },
    {
      id: 20,
      name: 'Are you the main shopper of your household?',
      question_type: 'profile',
      position: 0,
      options: json(['Yes', 'No', 'Shared']),
    },
  ],
} as const
/** How often each answer is given, in percent; in a multiple-choice question each is a share of its own. */
const SHARES: Readonly<Record<number, readonly number[]>> = {
  11: [18, 37, 24, 16, 5],
  12: [46, 31, 22, 12, 14],
  13: [22, 34, 26, 12, 6],
  16: [52, 18, 14, 9, 0, 7],
  17: [38, 33, 27, 15, 24],
  18: [19, 38, 28, 10, 5],
  19: [31, 17, 21, 19, 9, 3],
  20: [61, 14, 25],
}
/** One of this many completes skips the question. */
const SKIPPED: Readonly<Record<number, number>> = { 11: 120, 13: 60, 15: 4 }
const WISHES = [
  ...['A lower price', 'Smaller bags', 'Less salt', 'More flavors', 'Nothing, I like it as it is', 'A bag that closes again'],
]

/** A repeatable number from 0 to 1 for two indexes. */
const drawn = (one: number, other: number): number => {
  const value = Math.sin(one * 127.1 + other * 311.7) * 43758.5453
  return value - Math.floor(value)
}
function pick(labels: readonly string[], weights: readonly number[], at: number): string {
  let left = at * weights.reduce((sum, weight) => sum + weight, 0)
  return (
    labels.find((_, place) => {
      left -= weights[place]!
      return left < 0
    }) ?? labels[0]!
  )
}

type Asked = (typeof QUESTIONS)[72][number]
function answerTo({ id, options, ...more }: Asked, nth: number): string | string[] | null {
  const type = 'answer_type' in more ? more.answer_type : 'single'
  const at = drawn(nth + 1, id)
  const skips = SKIPPED[id]
  if (skips && nth % skips === skips - 1) return null
  if (type === 'number') return String(Math.round((at + drawn(nth, id)) * 20))
  if (type === 'open') return WISHES[Math.floor(at * at * WISHES.length)]!
  const labels = JSON.parse(options) as string[]
  const weights = SHARES[id]!
  if (type === 'single') return pick(labels, weights, at)
  const given = labels.filter((_, place) => drawn(nth + 1, id * 10 + place) * 100 < weights[place]!)
  return given.length ? given : [labels.at(-1)!]
}

/** Completes of questions like those of survey 72, whose ids are higher by `beyond`. */
export const completes = (count: number, asked: readonly Asked[] = QUESTIONS[72], beyond = 0) =>
  Array.from({ length: count }, (_, nth) => {
    const who = drawn(nth, 3)
    const answers = asked.map((one) => [one.id + beyond, answerTo(one, nth)] as const).filter(([, answer]) => answer !== null)
    return {
      ...{ respondent_id: `r${nth}`, outcome: 'completes', at: new Date(Date.now() - 3_600_000).toISOString() },
      gender: who < 0.496 ? 'female' : who < 0.974 ? 'male' : 'other',
      age: 2 + Math.floor(drawn(nth, 5) * 6),
      hhi: Math.floor(drawn(nth, 7) * 7),
      answers: Object.fromEntries(answers),
    }
  })

/** Sends respondents to a survey. */
export async function respond(api: Portal, surveyId: number, rows: readonly object[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) await api.call('runtime.ingest', { surveyId, rows: rows.slice(at, at + 500) })
}

const MARKETS = [
  [803, 'Los Angeles', 34.1, -118.2, 5],
  [501, 'New York', 40.7, -74, 3],
  [602, 'Chicago', 41.9, -87.6, 2],
] as const
const SERVICES = [
  { id: 12, brand_id: 1, name: 'Cafés', sic: '5812' },
  { id: 13, brand_id: 1, name: 'Drive-ins', sic: '5812' },
  { id: 71, brand_id: 7, name: 'Cinemas', sic: '7832' },
]
/** Days with visits, to today. */
const VISITED = 45

/** Two brands with three services, each with a venue in three market areas, and visits of the last days. */
async function fillVisitation(api: Portal, today: string): Promise<void> {
  const { make } = api
  const start_dt = '2024-01-01'
  await make.brand({ id: 1, name: 'Alder Coffee', start_dt, created_at: LONG_AGO })
  await make.brand({ id: 7, name: 'Birch Cinemas', start_dt, created_at: LONG_AGO })
  const categories = new Map((await api.db.selectFrom('categories').selectAll().execute()).map((one) => [one.sic_code, one.id]))
  for (const { sic, ...service } of SERVICES) {
    const category_id = categories.get(sic)!
    await make.service({ ...service, start_dt, category_id, created_at: LONG_AGO })
    await api.change((tx) =>
      tx
        .insertInto('venues')
        .values(
          MARKETS.map(([dma, name, latitude, longitude], at) => ({
            ...{ service_id: service.id, code: `A${at + 1}`, name: `${name} 1`, address: '1 Main St', latitude, longitude, dma },
            ...{ placed: 'given' as const, since: start_dt, created_at: LONG_AGO, updated_at: LONG_AGO, deleted_at: null },
          })),
        )
        .execute(),
    )
    const rows = Array.from({ length: VISITED }, (_, day) =>
      MARKETS.flatMap(([, , , , visits], at) =>
        Array.from({ length: visits + (day % 3) }, (_, nth) => ({
          device: `phone ${nth}`,
          venue: `A${at + 1}`,
          at: `${addDays(today, day - VISITED)}T${10 + nth}:00:00Z`,
        })),
      ),
    ).flat()
    for (let at = 0; at < rows.length; at += 500)
      await api.call('visit.ingest', { service_id: service.id, rows: rows.slice(at, at + 500) })
  }
  await api.change((tx) =>
    tx
      .insertInto('brand_categories')
      .values([{ brand_id: 1, category_id: categories.get('5812')! }])
      .execute(),
  )
  await give(api, 12, 6)
  await make.filter({ id: 901, user_id: 1, brand_id: 1, name: 'Last week', date_type: 'week' } as never)
}

const CITIES = [
  ['Boston', 'MA', '02108', 42.36, -71.06, 'exact'],
  ['Boston', 'MA', '02109', 42.3601, -71.0502, 'zip'],
  ['Chicago', 'IL', '60601', 41.88, -87.63, 'exact'],
  ['Miami', 'FL', '', 25.76, -80.19, 'city'],
  ['Denver', 'CO', '80202', null, null, 'none'],
] as const

const LONG_AGO = '2026-01-05T09:00:00.000Z'
const DAY_MS = 86_400_000

/** The client report of project 530: two columns of its own and three questions, and a template. */
async function fillReport(api: Portal): Promise<void> {
  const own = (
    id: number,
    column_key: string,
    column_name: string,
    column_type: string | null,
    question_id: number | null = null,
  ) =>
    api.make.report({
      ...{ id, project_id: 530, column_key, column_name, column_type, position: id },
      ...{ question_id, survey_id: question_id && 72 },
    })
  await own(1, 'record', 'Record', 'record')
  await own(2, 'end_date', 'End date', 'end_date')
  for (const [at, { id, name }] of QUESTIONS[72].slice(0, 3).entries()) await own(at + 3, `q_${at + 1}`, name, null, id)
  const column = { column_key: 'record', question_def: '', column_name: 'Respondent', column_type: 'record' }
  await api.change((tx) =>
    tx
      .insertInto('report_templates')
      .values({
        ...{ name: 'Standard client report', client_id: null, created_at: LONG_AGO, updated_at: LONG_AGO },
        columns: JSON.stringify([{ ...column, column_custom_definition: '', should_include: 1 }]),
      })
      .execute(),
  )
  await api.make.audience({ project_id: 529 })
}

/** Gives a user access to a service. */
export async function give(api: Portal, service_id: number, user_id: number): Promise<void> {
  const values = { service_id, user_id, added_at: LONG_AGO, added_by: 1 }
  await api.change((tx) => tx.insertInto('service_users').values(values).execute())
}

/** Sends the administrator a notification. */
export async function notify(
  api: Portal,
  given: { id: number; name: string; message_action: 'map' | 'web'; url?: string },
): Promise<void> {
  const sent_at = `2026-01-05T09:00:0${given.id % 10}.000Z`
  await api.make.notification({ ...given, message: `${given.name}: the latest news.`, sent_at, sent_by: 1, audience: 1 } as never)
  await api.change((tx) =>
    tx.insertInto('notices').values({ notification_id: given.id, user_id: 1, read_at: null, created_at: sent_at }).execute(),
  )
}

/** Writes the marketplace to an empty database. */
export async function fillMarketplace(api: Portal): Promise<void> {
  const { make } = api
  const today = make.today()
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
  await make.survey({
    id: 71,
    name: 'Alder snack tracker',
    project_id: 529,
    survey_link: 'https://survey.test/1',
    questions_count: 5,
  })
  await make.survey({ id: 72, name: 'Snack tracker, wave 3', project_id: 530, questions_count: 10 })
  for (const survey_id of [71, 72] as const)
    for (const [at, question] of QUESTIONS[survey_id].entries())
      await make.question({ position: at + 1, vendor_key: `q${at + 1}`, ...question, survey_id })
  for (const id of [31, 32]) await make.activity({ id, project_id: 529, name: `Wave ${id - 30}` })
  await make.activity({ id: 7, project_id: 530, name: 'Shelf photos', activity_type: 'photo' })
  const group = await make.group({ id: 301, name: 'Flagship Stores', client_id: 101 })
  for (const [at, [city, state, zip, latitude, longitude, position]] of CITIES.entries()) {
    const place = { name: `Store ${at + 1}`, address: `${at + 1} Main St`, city, state, zip, latitude, longitude, position }
    await make.place({ id: 7001 + at, ...place, created_at: LONG_AGO })
    await api.change((tx) =>
      tx
        .insertInto('location_group_places')
        .values({ group_id: group.id, place_id: 7001 + at, added_at: LONG_AGO, added_by: 1, import_id: null, line: at + 2 })
        .execute(),
    )
  }
  await fillReport(api)
  await notify(api, { id: 7001, name: 'Visits', message_action: 'map' })
  await notify(api, { id: 7002, name: 'Price list', message_action: 'web', url: 'https://prices.test/list' })
  await fillVisitation(api, today)
  await respond(api, 72, completes(1240))
  await respond(api, 71, [{ respondent_id: 'first', outcome: 'completes', answers: { 301: 'Daily', 302: ['Yes'] } }])
  await api.set('projects', 530, { delivered: 40 })
  await api.set('projects', 529, { delivered: 41 })
}

/** Adds projects older than those of the marketplace, so that lists show them last. */
export async function addProjects(
  api: Portal,
  count: number,
  like: (nth: number) => { name: string; status?: (typeof STEPS)[number] },
): Promise<{ id: number; name: string }[]> {
  const made = []
  for (let nth = 0; nth < count; nth++)
    made.push(
      await api.make.project({
        ...{ id: 9000 + nth, client_id: 101, ...like(nth) },
        created_at: new Date(Date.parse(LONG_AGO) - (100 + nth) * DAY_MS).toISOString(),
      }),
    )
  return made
}

/** Deletes all partners. */
export async function withoutPartners(api: Portal): Promise<void> {
  await api.change((tx) => tx.updateTable('partners').set({ deleted_at: LONG_AGO }).execute())
}

/** Shows these figures in a project's Overview. */
export function figures(api: Portal, project: number, own: Partial<Output<'runtime.overview'>['data']>): void {
  api.shows('runtime.overview', ({ data }, { id }) => {
    if (id === project) Object.assign(data, own)
  })
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const NEWEST = Date.parse('2026-03-20T16:00:00Z')
interface Sent {
  project_id?: number
  activity_id?: number
  action?: 'photo' | 'video'
}
/** The id of an item that `sendContent` adds, counted from the newest. */
export const contentId = (count: number, index: number, { project_id = 530, action = 'photo' }: Sent = {}): number =>
  (action === 'photo' ? 100_000 : 200_000) + (project_id === 530 ? 0 : 50_000) + count - index

/** Adds a photo or video for each minute; the tenth photo has a failed thumbnail, the eleventh a queued one. */
export async function sendContent(api: Portal, count: number, sent: Sent = {}): Promise<void> {
  const { project_id = 530, activity_id = 7, action = 'photo' } = sent
  await api.saveFile('pixel.png', PIXEL, 'image/png')
  const own = Array.from({ length: count }, (_, index) => {
    const id = contentId(count, index, sent)
    const at = new Date(NEWEST - index * 60_000).toISOString()
    const done = action === 'photo' && index !== 10 && index !== 11
    const file = rowOf('files', at, {
      ...{ id: id + 1_000_000, project_id, activity_id, kind: 'media', asset_type: action, storage_key: 'pixel.png' },
      ...{ original_name: `U-${id}.png`, mime: action === 'photo' ? 'image/png' : 'video/mp4', size: 64_000 },
      ...{ width: 1200, height: 900, seconds: action === 'video' ? 18 : null, thumb_key: done ? 'pixel.png' : '' },
      thumb_state: done ? 'done' : index === 10 ? 'failed' : index === 11 && action === 'photo' ? 'queued' : 'none',
      thumb_fault: action === 'photo' && index === 10 ? 'There is no preview, because it isn’t a picture that can be read.' : '',
    })
    const act = rowOf('user_activities', at, {
      ...{ id, activity_id, project_id, action, file_id: id + 1_000_000, email: `p${id}@mail.test` },
      ...{ person: id.toString(16).padStart(16, '0'), external_id: `item-${id}` },
    })
    return { file, act }
  })
  await api.change(async (tx) => {
    await insertMany(
      tx,
      'files',
      own.map(({ file }) => file),
    )
    await insertMany(
      tx,
      'user_activities',
      own.map(({ act }) => act),
    )
  })
}
