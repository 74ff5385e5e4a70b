import type { Page, Request } from '@playwright/test'
import { keymap } from '../../src/commands/keymap.ts'
import { href, type RouteId, routeIds, rowOf } from '../../src/routing/routes.ts'
import { type CommandId, commandIds, commandOf } from '../support/commands.ts'
import { focusFault } from '../support/focus.ts'
import { type Random, randomOf } from '../torture/random.ts'
import { pathWith, type RecordIds, recordIds } from './recordIds.ts'
import { allProjects, drawn, field, keys, pane, ready, rows, selected } from './verbs.ts'

/*
 * Runs every command where it belongs, by its keys or from the palette: cancelled at once, completed, or refused.
 * After each step, the focus is where a user would continue; after cancelling, it is where it was before.
 */

/** How far to run a command: cancelled by Escape, completed, or completed while the server refuses writes. */
export const ENDS = ['left', 'done', 'refused'] as const
export type End = (typeof ENDS)[number]

/** Commands that leave the page or sign the user out, and those that open a file or another window. */
const LEAVING =
  /^(session\.|copy\.|job\.(fetch|link)|content\.download|file\.download|import\.errors$|proffer\.open$|invitation\.preview$|landing\.preview$|project\.print$)/

/** The commands to walk through: all but those that leave. Those of screens do what links do. */
export const walked = (): CommandId[] => commandIds().filter((id) => !LEAVING.test(id))

/** A sample of them with how far to run each, drawn by a seed. */
export function sample(seed: number, count: number): [id: CommandId, end: End][] {
  const random = randomOf(seed)
  return walked()
    .map((id) => ({ id, at: random.next(), end: random.pick(ENDS) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ id, end }) => [id, end])
}

const presses: [press: string, id: string][] = Object.values(keymap).flatMap((context) => Object.entries(context))
const bound = new Map(presses.map(([press, id]) => [id, press]).reverse() as [string, string][])

/** The screens of records that have none of their own. */
const HOMES: Readonly<Record<string, readonly [RouteId, string?][]>> = {
  entry: [['project', 'project-rewarded']],
  note: [['project', 'project-notes']],
  file: [
    ['project', 'approval'],
    ['project', 'specifications'],
  ],
  category: [['survey', 'categories']],
  proffer: [
    ['project', 'approval'],
    ['surveyProject', 'approval'],
  ],
  activityGroup: [['activity', 'locations']],
  content: [
    ['project', 'userContent'],
    ['surveyProject', 'userContent'],
  ],
  vip: [['project', 'project-vip-experiences']],
  award: [['project', 'vip-exp-rewarded']],
  user: [
    ['client', 'users'],
    ['usersInfo', 'all-client-users'],
    ['usersInfo', 'admin-users'],
  ],
  partner: [['partners']],
  member: [['team', 'users']],
  teamProject: [['team', 'projects']],
  groupLocation: [['group', 'locations']],
  location: [['locations']],
  session: [['account']],
  key: [['organization'], ['tokens'], ['account']],
  token: [['tokens']],
  job: [['jobs']],
  mail: [['outbox']],
  reward: [['rewards'], ['project', 'project-rewards']],
  question: [['survey', 'questions']],
  notice: [['inbox']],
  notification: [['notifications']],
  fileLine: [['locationFile']],
  import: [['locationFile'], ['locations']],
  service: [['brandEditor', 'services']],
  audience: [['project', 'audience']],
  offer: [['project', 'offers']],
  report: [['project', 'client-reporting']],
  view: [['allProjects']],
  webhook: [['webhooks']],
  delivery: [['webhook']],
  // Actions without a record, by their prefix.
  responses: [['project', 'userResponses']],
  landing: [['project', 'landing-page']],
  brand: [['brand']],
  visit: [['brand']],
  filter: [['brand']],
  form: [['newSurveyRequest'], ['newProject']],
  row: [['newChildSurvey'], ['addAsset']],
  pane: [['project', 'dashboard']],
  charts: [['project', 'dashboard']],
}

/** The screens where a command may be available, likely ones first. */
function homes(id: CommandId, ids: RecordIds): string[] {
  const command = commandOf(id)
  const kinds = command.on === 'nothing' ? [id.split('.')[0]!] : [command.on].flat()
  const own = kinds.flatMap((kind) =>
    routeIds.filter((route) => rowOf(route).subject === kind && rowOf(route).tabs && !rowOf(route).outside),
  )
  const named = kinds.flatMap((kind) => HOMES[kind] ?? [])
  const places: readonly (readonly [RouteId, string?])[] = [
    ...(command.on === 'nothing' ? named : []),
    ...own.map((route): [RouteId, string] => [route, Object.values(rowOf(route).tabs!)[0]!.path]),
    ...named,
    ['allProjects'],
  ]
  const paths = places.map(([route, tab]) => pathWith(ids, { id: route, path: `${rowOf(route).path}${tab ? `/${tab}` : ''}` }))
  return [...new Set(paths)].slice(0, 3)
}

/** The results of a walk. */
export interface Walked {
  wrong: string[]
  /** Commands that couldn't be run anywhere. */
  absent: string[]
  runs: number
  /** The number of writes that were made or refused. */
  writes: number
}

/** The state of a walk: its page, and the requests in flight. */
interface Walk {
  page: Page
  random: Random
  ids: RecordIds
  flying: Set<Request>
  /** Projects by the commands they allow. */
  allowing: Map<string, number>
  /** A project with pending rewards. */
  rewarding: number | undefined
  writes: number
  refuse: boolean
}

/** Runs these commands, each to its end; the run's seed repeats it. */
export async function walk(
  page: Page,
  some: readonly [id: CommandId, end: End][],
  {
    seed,
    until = Number.POSITIVE_INFINITY,
    say,
    known = {},
  }: {
    seed: number
    until?: number
    say?: (line: string) => void
    /** Screens where commands are available that no demo record has. */
    known?: Partial<Record<CommandId, string>>
  },
): Promise<Walked> {
  const found: Walked = { wrong: [], absent: [], runs: 0, writes: 0 }
  const all = await allProjects(page)
  const allowing = new Map(all.flatMap((row) => row.allowed_actions.map((rule): [string, number] => [rule, row.id])))
  const rewarding = all.find((row) => row.pending_rewards > 0)?.id
  const one: Walk = {
    page,
    random: randomOf(seed),
    ids: await recordIds(page),
    flying: new Set(),
    allowing,
    rewarding,
    refuse: false,
    writes: 0,
  }
  const ended = (request: Request) => one.flying.delete(request)
  page.on('request', (request) => !/\/live|\.js$/.test(request.url()) && one.flying.add(request))
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  await page.route(/\/v3\/portal\//, (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    one.writes++
    return one.refuse
      ? route.fulfill({ status: 409, json: { message: 'Somebody was faster.', code: 'conflict', fields: {} } })
      : route.fallback()
  })
  await page.addInitScript(() => {
    window.print = () => {}
  })
  await page.goto(href('allProjects'))
  await ready(page)
  for (const [id, end] of some) {
    if (Date.now() > until) break
    const began = Date.now()
    const result = await drive(one, id, end, known[id]).catch((error: Error) => stuck(one, error))
    found.runs++
    if (result === 'absent') found.absent.push(id)
    else found.wrong.push(...result.map((fault) => `${id}, ${end}: ${fault}`))
    say?.(`${Date.now() - began} ms ${id}, ${end}: ${result === 'absent' ? result : result.join(' | ') || 'well'}`)
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  found.writes = one.writes
  return found
}

/** A step that never came is a fault: names what is open and focused, and starts again from a new page. */
async function stuck({ page }: Walk, error: Error): Promise<string[]> {
  const at = await page.evaluate((over) => {
    const open = [...document.querySelectorAll<HTMLElement>(over)].map((one) => (one.ariaLabel ?? one.textContent).slice(0, 60))
    return `the focus on ${document.activeElement?.outerHTML.slice(0, 80)}, open ${open.join(' | ') || 'nothing'}`
  }, OVER)
  const found = `stuck at ${new URL(page.url()).pathname}, ${at}: ${error.message.split('\n')[0]}`
  await page.goto(href('allProjects'))
  await ready(page)
  return [found]
}

const OVER = '[data-palette], [role=dialog][data-state=open], [role=alertdialog], [role=menu]'
/** The current question, which changes with every step; null if there is none. */
const asked = (page: Page) =>
  page.evaluate((over) => {
    const all = [...document.querySelectorAll<HTMLElement>(over)]
    const field = all.at(-1)?.querySelector<HTMLInputElement>('[role=combobox]')
    return all.length ? `${all.length} ${all.at(-1)!.textContent.length} ${field?.ariaLabel} ${field?.value}` : null
  }, OVER)

/** Waits until no call is in flight, then returns what is wrong with the focus. */
async function settled({ page, flying }: Walk): Promise<string | null> {
  for (let at = 0; at < 60; at++) {
    await drawn(page)
    if (!flying.size) break
  }
  return focusFault(page)
}

/** Goes to a screen with nothing else open. */
async function visit({ page }: Walk, path: string): Promise<void> {
  const alone = (await page.locator('[data-column]').count()) === 1 && (await page.getByRole('dialog').count()) === 0
  if (!alone) await page.goto(path)
  else {
    // Where the last command left the focus in a search, the next keys would be its text.
    if (await page.evaluate(() => document.activeElement?.matches('input[type=search]'))) await keys(page, 'Escape')
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  }
  await ready(page)
}

/** Records where the focus and the cursor are. */
const remember = (page: Page) =>
  page.evaluate(() => {
    const row = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert]) [data-cursor]')
    Object.assign(window, { origin: [document.activeElement, row?.getAttribute('aria-rowindex') ?? row?.textContent] })
  })
/** What is wrong with the restored focus; null if it is where it was, or if that element is gone. */
const strayed = (page: Page) =>
  page.evaluate(() => {
    const [from, row] = (window as unknown as { origin: [HTMLElement, string | undefined] }).origin
    const named = (at: Element | null) =>
      `${at?.tagName} “${(at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim().slice(0, 40)}”`
    if (!from.isConnected || !from.checkVisibility({ visibilityProperty: true }) || from.closest('[inert]')) return null
    if (document.activeElement !== from) return `on ${named(document.activeElement)} instead of ${named(from)}`
    const now = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert]) [data-cursor]')
    const at = now?.getAttribute('aria-rowindex') ?? now?.textContent
    return at === row ? null : `the cursor on ${at} instead of ${row}`
  })

/** Focuses one of the pane's tab stops that isn't a text field. */
const onSome = (page: Page, share: number) =>
  page.evaluate((share) => {
    const pane = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert])')
    const stops = [...(pane?.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)') ?? [])].filter(
      (one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }),
    )
    stops[Math.floor(share * stops.length)]?.focus()
  }, share)

/** Runs a command by its button on the screen; false if there is none. */
async function beginByButton({ page }: Walk, id: CommandId): Promise<boolean> {
  const button = pane(page).locator(`button[data-command="${id}"]`).filter({ visible: true }).first()
  if (!(await button.count())) return false
  await button.focus()
  await remember(page)
  await keys(page, 'Enter')
  return true
}

/** Runs a command by its keys or its row in the palette; false if the palette doesn't have it. */
async function begin(one: Walk, id: CommandId): Promise<boolean> {
  const { page, random } = one
  const press = bound.get(id)
  if (random.chance(0.25) && (await beginByButton(one, id))) return true
  if (press && (commandOf(id).hidden || random.chance(0.5))) {
    await keys(page, press)
    return true
  }
  if (commandOf(id).hidden) return false
  await keys(page, 'Mod+k')
  await field(page).and(page.locator(':focus')).waitFor({ timeout: 5000 })
  await page.keyboard.insertText(commandOf(id).title.replace(/…$/, ''))
  const row = rows(page, id).first()
  const there = await row.waitFor({ timeout: 1500 }).then(
    () => true,
    () => false,
  )
  if (!there) {
    await keys(page, 'Escape Escape')
    return beginByButton(one, id)
  }
  await drawn(page)
  for (let at = 0; at < 12 && !(await row.and(selected(page)).count()); at++) {
    await keys(page, 'ArrowDown')
    await drawn(page)
  }
  await keys(page, 'Enter')
  return true
}

const WORDS = ['', 'Some words', '3', 'tomorrow', 'someone@fieldwork.test', 'https://fieldwork.test/a']
/** Confirms a question by Enter, with some text if it is required; false if that doesn't lead on. */
async function answer({ page, flying }: Walk, before: string): Promise<boolean> {
  for (const word of WORDS) {
    if (word) {
      if (!(await page.evaluate(() => document.activeElement?.matches('input, textarea')))) return false
      await keys(page, 'Mod+a')
      await page.keyboard.insertText(word)
      await drawn(page)
    }
    const typed = await asked(page)
    await keys(page, 'Enter')
    for (let at = 0; at < 15; at++) {
      await drawn(page)
      const now = await asked(page)
      if (now !== typed && now !== before) return true
      // Nothing is on its way: this answer was refused.
      if (at >= 5 && !flying.size) break
    }
  }
  return false
}

async function drive(one: Walk, id: CommandId, end: End, known: string | undefined): Promise<string[] | 'absent'> {
  const { page, random, allowing, ids } = one
  const wrong: string[] = []
  const rule = [commandOf(id).rule ?? id].flat().find((rule) => rule !== null && allowing.has(rule))
  const on = [commandOf(id).on].flat().includes('entry') ? one.rewarding : allowing.get(rule ?? '')
  const able = on === undefined ? ids : { ...ids, project: [on] }
  const moved = random.chance(0.5)
  const share = random.next()
  one.refuse = end === 'refused'
  let there = false
  const look = async (when: string) => {
    const fault = await settled(one)
    if (fault) wrong.push(`${when} at ${new URL(page.url()).pathname}: ${fault}`)
  }
  for (const path of known ? [known] : homes(id, able)) {
    await visit(one, path)
    await keys(page, 'j')
    if (moved) await onSome(page, share)
    await settled(one)
    await remember(page)
    there = await begin(one, id)
    if (there) break
    await keys(page, 'Escape Escape')
  }
  if (there) {
    await look('run')
    const most = end === 'left' ? random.int(0, 1) : 8
    for (let step = 0; step < most; step++) {
      const before = await asked(page)
      if (before === null) break
      if (!(await answer(one, before))) break
      await look(`after ${step + 1} answers`)
    }
    const cancelled = (await asked(page)) !== null
    for (let at = 0; at < 6 && (await asked(page)) !== null; at++) {
      await keys(page, 'Escape')
      await drawn(page)
    }
    await look('left')
    // An answer that was the last one has run the command: the focus is then where it led.
    if (cancelled && end === 'left') {
      const stray = await strayed(page)
      if (stray) wrong.push(`left: ${stray}`)
    }
  }
  one.refuse = false
  return there ? wrong : 'absent'
}
