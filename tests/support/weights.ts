import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BuiltScript } from '../../scripts/weights.ts'
import { FIRST_LOAD_LIMIT } from './first-load.ts'

const built = resolve(import.meta.dirname, '../../dist/web')

/**
 * The workspace's areas with their limits in gzipped bytes and their scripts; the first match wins.
 * An area that grows as intended gets a new limit; otherwise it contains something that belongs elsewhere.
 */
const AREAS: readonly (readonly [name: string, limit: number, scripts: RegExp])[] = [
  ['first load', FIRST_LOAD_LIMIT, /^(react|base|workspace|index\.html|rolldown\/runtime\.js|src\/data\/readEarly\.ts)$/],
  // 500 of it are the funnel's command, and why something isn't offered.
  ['commands: projects', 19_300, /^area-projects$/],
  // 1,050 of it are the fields of activities and targets, which their forms had before.
  ['commands: activities', 8_700, /^area-activities$/],
  ['commands: results', 5_000, /^area-results$/],
  // 450 of it are the fields of users, partners and clients, and their effects in words.
  ['commands: people', 10_000, /^area-people$/],
  ['commands: places', 4_500, /^area-places$/],
  ['commands: quotas', 9_300, /^area-quotas$/],
  ['commands: rewards', 7_500, /^area-rewards$/],
  ['commands: settings', 5_600, /^area-settings$/],
  ['commands: views', 3_100, /^area-views$/],
  // 1,400 of it are the fields of surveys and questions, and what is wrong with answers, which forms had before.
  ['commands: surveys', 6_400, /^area-surveys$/],
  ['commands: reports', 5_000, /^area-reports$/],
  ['commands: imports', 5_000, /^area-imports$/],
  // 100 of it open the records that news is about.
  ['commands: notifications', 3_350, /^area-notifications$/],
  // 500 of it are the fields of brands and services, which its screens had in each form before.
  ['commands: visitation', 7_650, /^area-visitation$/],
  ['commands: webhooks', 2_500, /^area-webhooks$/],
  // 900 of it fold text for searches, names and orders, which several areas did in ways of their own.
  ['words, and calls of later screens', 13_950, /^(words|virtual:calls\/rest|contract\/(lists|listRows|pacing|answer)\.ts)$/],
  // 2,000 of it read dates and money, which forms and palette loaded elsewhere before.
  // 150 of it judge patterns, flags, and values beside others, which panes and commands did themselves.
  // 250 of it read ids, and say what an object is refused for.
  // 950 of it read lists of choices, lines and files, and judge what is needed beside other values.
  // 100 of it read a phone number as it is typed, and what an invited user may lack.
  // 100 of it read degrees and ZIP codes, which forms and files did themselves.
  ['fields', 7_000, /^fields$/],
  // 5,500 of it, loaded late, are other spellings, words beside names, and words to leave out.
  // 1,000 of it are other words for commands, 300 hold a first row while a word is typed, 250 prepare words once.
  ['palette and search', 66_200, /^src\/(palette|search|commands)\//],
  // 4,500 of it are repeated commands, earlier reasons, ready files, open tabs and places.
  ['runner', 25_500, /^src\/runner\//],
  // Most of it is loaded late: next records, tabs, places, zen, print, find in a pane, the announcer and first reads.
  // 250 of it end a fault in its part, and a live stream's tab that answers nothing.
  // 300 of it take the clipboard at a key, select so many of the next rows, and pin columns.
  ['frame', 55_400, /^src\/(shell|workspace|list|data)\//],
  ['compare', 4_500, /^src\/compare\//],
  [
    'screens: client reports, landing page, audience, offers',
    14_000,
    /^(src\/panes\/project\/reports\/|contract\/(landing|report\w*|offer|audienceOption)\.ts)/,
  ],
  // 6,000 of it are the grid of quotas and the conversations.
  ['screens: projects', 58_800, /^src\/panes\/project\/(?!reward\/|responses\/|reports\/|content\/)/],
  ['screens: results', 26_000, /^(src\/panes\/project\/(responses|content)\/|contract\/(questionCode|contentWords)\.ts)/],
  ['screens: activities', 30_000, /^(src\/panes\/activity\/|contract\/(activityRules|activityInput|dmaPresets)\.ts)/],
  ['screens: rewards', 20_000, /^src\/panes\/project\/reward\//],
  ['screens: people', 20_000, /^src\/panes\/people\//],
  ['screens: teams', 16_000, /^src\/panes\/team\//],
  ['screens: places', 24_000, /^(src\/panes\/place\/|contract\/(address|location)\.ts)/],
  ['screens: location files', 8_000, /^src\/panes\/import\//],
  // 250 of it list the news behind a line of the inbox.
  ['screens: notifications', 8_500, /^src\/panes\/notifications\//],
  ['screens: webhooks', 5_000, /^src\/panes\/webhook\//],
  ['screens: surveys', 16_000, /^src\/panes\/survey\//],
  // 400 of it are the health of the system, and 250 choose when news is mailed.
  ['screens: settings', 16_050, /^src\/panes\/(account|work)\//],
  [
    'screens: forms',
    110_000,
    /^(src\/panes\/(shared\/)?form\/|contract\/(request|campaignRequest)\.ts|node_modules\/(zod|react-hook-form)\/)/,
  ],
  ['screens: visitation', 40_000, /^(src\/panes\/visitation\/|contract\/visitPeriod\.ts)/],
  ['screens: outside', 11_000, /^src\/panes\/outside\//],
  ['screens: partners', 15_500, /^(src\/panes\/partner\/|contract\/answer\.ts)/],
  // 500 of it offer to restore a deleted record where its link leads.
  // 500 of it show how a file was read, and let it be changed.
  // 300 of it show a record's fields by their kinds, which screens did in ways of their own.
  // 250 of it keep a picker’s focus while its rows load, and draw a record’s fields in two columns.
  ['what screens share', 32_000, /^src\/panes\/shared\//],
  ['charts', 32_500, /^(src\/ui\/charts\/(?!draw-map)|node_modules\/uplot\/)/],
  // The outlines and both workers come beside it, and aren't scripts of the page.
  ['maps', 300_000, /^src\/ui\/charts\/draw-map\.ts$/],
  // 530 of it declare the plain calls of nouns.
  // Some are values that /openapi.json lists, which come with the inputs beside them.
  ['rules and words that later screens share', 27_500, /^contract\//],
  ['controls', 71_600, /^(src\/ui\/|node_modules\/(@radix-ui|lucide-react|sonner)\/)/],
]

/** A built area: gzipped bytes, and its biggest modules with their shares. */
export interface AreaWeight {
  name: string
  bytes: number
  limit: number
  biggest: readonly { module: string; bytes: number }[]
}

const SHOWN = 6

/** A script without the hashes in its imports, which compress a little differently whenever any script changes. */
const withoutHashes = (file: string): string =>
  readFileSync(join(built, file), 'utf8').replace(/(?<=[\w.]-)[\w-]{8}(?=\.(js|css)\b)/g, '')

/** The weight of each area in the last build; throws for a script without an area. */
export function areaWeights(): AreaWeight[] {
  const scripts = JSON.parse(readFileSync(join(built, '.vite/weights.json'), 'utf8')) as BuiltScript[]
  const lost = scripts.filter(({ home }) => !AREAS.some(([, , fits]) => fits.test(home)))
  if (lost.length)
    throw new Error(`No area of tests/support/weights.ts has ${lost.map(({ file, home }) => `${file} (${home})`).join(', ')}`)
  return AREAS.map(([name, limit], place) => {
    const own = scripts
      .filter(({ home }) => AREAS.findIndex(([, , fits]) => fits.test(home)) === place)
      .map((script) => ({ ...script, bytes: gzipSync(withoutHashes(script.file), { level: 9 }).length }))
    const modules = own.flatMap(({ modules, bytes }) => {
      const whole = modules.reduce((sum, [, length]) => sum + length, 0)
      return modules.map(([module, length]) => ({ module, bytes: Math.round((bytes * length) / whole) }))
    })
    const biggest = modules.sort((a, b) => b.bytes - a.bytes).slice(0, SHOWN)
    return { name, limit, bytes: own.reduce((sum, { bytes }) => sum + bytes, 0), biggest }
  })
}

/** The message of a failing test: how much an area exceeds its limit, and its biggest modules. */
export const sayTooHeavy = ({ name, bytes, limit, biggest }: AreaWeight): string =>
  [
    `${name}: ${bytes} bytes, ${bytes - limit} more than its ${limit}. The biggest of it:`,
    ...biggest.map(({ module, bytes }) => `${String(bytes).padStart(8)} ${module}`),
  ].join('\n')
