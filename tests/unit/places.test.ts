import { describe, expect, test } from 'vitest'
import { sourceOf, sourcesOf } from '../support/graph.ts'
import { checkRows } from './rows.ts'

const codes = new Map<string, string>()
/** A source without its comments. */
function codeOf(file: string): string {
  const code =
    codes.get(file) ??
    sourceOf(file)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/[^\n]*/g, '$1')
  codes.set(file, code)
  return code
}

/** The lines that match a pattern, by file. */
function found(files: readonly string[], pattern: RegExp): string[] {
  const anywhere = new RegExp(pattern.source, `${pattern.flags}m`)
  return files
    .filter((file) => anywhere.test(codeOf(file)))
    .flatMap((file) =>
      codeOf(file)
        .split('\n')
        .flatMap((line) => (pattern.test(line) ? [`${file}: ${line.trim()}`] : [])),
    )
}
const of = (...folders: string[]) => folders.flatMap(sourcesOf)
const outside = (files: readonly string[], places: readonly string[]) =>
  files.filter((file) => !places.some((place) => file === place || file.startsWith(`${place}/`)))
describe('who may do what', () => {
  /** Files in which a role is data, and not the caller's. */
  const DATA: Readonly<Record<string, string>> = {
    'contract/actor.ts': 'what a role means',
    'contract/recordAccess.ts': 'the rule on whom one can act as looks at that person',
    'contract/userFields.ts': 'asks for the client of somebody in a client’s role',
    'server/calls/user/edit.ts': 'gives somebody another role',
    'server/core/rightsWatch.ts': 'sees that an administrator is invited',
    'contract/user.ts': 'checks that an invitation’s role and client fit',
    'server/calls/session.ts': 'says in whose name a registration stands in the history',
    'server/calls/view.ts': 'tells those who see what a view’s owner shares',
    'server/calls/undo/restoreRows.ts': 'keeps the last administrator',
    'server/domain/user/list.ts': 'names a file by the role it was filtered by',
    'server/cli/admin.ts': 'makes an administrator',
    'server/live/stream.ts': 'sees that somebody’s role has changed',
    'server/search-index/sources.ts': 'says what a found user is',
    'src/commands/people/user.ts': 'asks in which role somebody is invited',
    'src/runner/keys/bindings.ts': 'keeps the keymap of the same role',
    'src/panes/people/InviteForm.tsx': 'asks in which role somebody is invited',
  }
  const ROLE = /\brole(?:_id)?\b\)?\s*[!=]==|[!=]==\s*[\w.?]*\.?role\b|[!=]==\s*'(?:admin|client)'|ADMIN_ROLE/
  const comparing = found(of('cli', 'verbs', 'contract', 'server', 'src'), ROLE).filter((line) => /role/i.test(line))

  test('is decided by the access table: no role is compared elsewhere', () => {
    expect(comparing.filter((line) => !Object.hasOwn(DATA, line.split(':')[0]!))).toEqual([])
  })

  /** Names by which the workspace would ask for the user's role instead of asking the table. */
  const WHO = /\bseesAll\b|\bletsIn\b|\brefusedAt\b|\bisAdmin\b|\bviewer\b\s*[!=]==\s*'|\bme\??\.role\b(?!\))/
  /** Files that ask the table itself, with the role they are given. */
  const ASKS_THE_TABLE = ['src/routing', 'src/commands/availability.ts', 'src/workspace', 'src/shell/Sidebar.tsx']
  const SCREENS = [
    'src/shell/Workspace.tsx',
    'src/shell/ScreenTabs.tsx',
    'src/runner/keys/activeContext.ts',
    'src/palette/paletteRows.ts',
  ]

  test('is never asked by role in the workspace: panes, shell and palette ask for actions by name', () => {
    expect(found(outside(of('src'), [...ASKS_THE_TABLE, ...SCREENS]), WHO)).toEqual([])
  })

  test('would be found where it is asked by role', () => {
    checkRows(
      [
        "import { seesAll } from '../../../contract/actor.ts'",
        "  {viewer === 'admin' && <Preview />}",
        '  const role = useAtomValue(meAtom)?.role === 1 || me.role',
      ],
      (line) => expect(line).toMatch(WHO),
    )
  })

  test('has no outdated exception', () => {
    const still = new Set(comparing.map((line) => line.split(':')[0]))
    expect(Object.keys(DATA).filter((file) => !still.has(file))).toEqual([])
  })
})

describe('each concern in one place', () => {
  const SQL =
    /\bsql(?:<[^>]*>)?`|\bsql\.(?:raw|ref|table|lit|join)\(|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bdatabase\.prepare\(/
  const FETCH = /(?<![\w.])fetch\(|new (?:XMLHttpRequest|EventSource|WebSocket)\(|sendBeacon\(/
  const WAIT = /new Promise[^\n]*=>[^\n]*\bsetTimeout\((?!look)/
  const STORAGE = /\b(?:localStorage|sessionStorage)\b/
  const LOCK = /\.for(?:Update|NoKeyUpdate|Share)\(|\bfor update\b/i
  const PATTERN_OF_PATHS = /\/\^\(?(?:\?:)?\\\/\(?[a-z]|RegExp\(.*\bpath\b/
  const KEYS = /addEventListener\(\s*['"`]key|\bonkey(?:down|up|press)\b/

  /** Files that read or write whole tables without a server, and a table's only owner (ARCHITECTURE.md). */
  const ALSO_SQL = ['server/backup', 'server/cli', 'server/demo', 'server/imports', 'server/live']
  const WITH_SQL = ['db', 'core', 'domain', 'jobs', 'search-index', 'calls'].map((folder) => `server/${folder}`)

  test('SQL is only in its server folders', () => {
    expect(found(outside(of('cli', 'verbs', 'contract', 'server', 'src'), [...WITH_SQL, ...ALSO_SQL]), SQL)).toEqual([])
  })

  test('only src/data fetches, and the workers of maps their file of outlines', () => {
    expect(found(outside(of('contract', 'src'), ['src/data', 'src/ui/charts/outlines.ts']), FETCH)).toEqual([])
  })

  test('only the dispatcher listens for keys, but for those of a composition', () => {
    expect(found(outside(of('src'), ['src/runner/keys', 'src/ui/compositions.ts']), KEYS)).toEqual([])
  })

  test('time is waited for by node:timers/promises, and in the workspace by ui/wait.ts', () => {
    const sources = of('cli', 'verbs', 'contract', 'server', 'src', 'scripts', 'tests')
    expect(found(outside(sources, ['src/ui/wait.ts', 'tests/unit/places.test.ts']), WAIT)).toEqual([])
  })

  test('the browser keeps things by data/browserStore.ts, and the palette’s index by the worker’s indexStore.ts', () => {
    // readEarly.ts imports nothing.
    expect(found(outside(of('contract', 'src'), ['src/data/browserStore.ts', 'src/data/readEarly.ts']), STORAGE)).toEqual([])
    expect(found(outside(of('contract', 'src'), ['src/search/indexStore.ts']), /\bindexedDB\b/)).toEqual([])
  })

  test('rows are locked by db/locked.ts, whatever the engine', () => {
    expect(found(outside(of('server'), ['server/db/locked.ts']), LOCK)).toEqual([])
  })

  test('chords are read by tinykeys in runner/keys, tab rows are Radix’s in ui/Tabs.tsx, rows TanStack’s in ui/grid', () => {
    const only = (name: string) => found(of('src'), new RegExp(`from '${name}`)).map((line) => line.split(':')[0])
    expect(only('tinykeys')).toEqual(['src/runner/keys/chords.ts', 'src/runner/keys/keyReading.ts'])
    expect(only('@radix-ui/react-tabs')).toEqual(['src/ui/Tabs.tsx'])
    expect(only('@tanstack/react-virtual')).toEqual(['src/ui/grid/useVirtualRows.ts'])
    expect(new Set(only('wouter'))).toEqual(new Set(['src/App.tsx', 'src/workspace/pane.tsx']))
  })

  /** Panes that draw a placeholder where no read's answer is shown. */
  const PLACEHOLDERS: Readonly<Record<string, string>> = {
    'src/panes/import/LocationResult.tsx': 'until the code of its map has loaded',
    'src/panes/project/RecordScreen.tsx': 'until a project opens on the screen of its own generation',
    'src/panes/project/content/Gallery.tsx': 'a list box that a row loader fills, whose error stands above it',
    'src/panes/shared/ContentItem.tsx': 'an item that its list is still reading',
    'src/panes/shared/RecordError.tsx': 'until it is known whether a missing record was deleted',
    'src/panes/shared/RowColumns.tsx': 'a cell of a grid, which holds its error and its empty state, too',
  }

  test('panes show a read that is loading, failed or empty through data/AnswerState.tsx', () => {
    const drawn = found(of('src/panes'), /<Skeleton\b/).map((line) => line.split(':')[0]!)
    expect([...new Set(drawn)].sort()).toEqual(Object.keys(PLACEHOLDERS).sort())
  })

  /** The router, and partners' pages, whose few patterns are made of their table of addresses. */
  const ROUTERS = ['src/routing', 'src/data/partnerSession.ts']

  test('no pattern looks at paths: what an address is follows from the tables of calls and routes', () => {
    expect(found(outside(of('cli', 'verbs', 'contract', 'server', 'src'), ROUTERS), PATTERN_OF_PATHS)).toEqual([])
  })

  test('would be found anywhere else by its pattern', () => {
    checkRows(
      [
        [PATTERN_OF_PATHS, '  /^\\/(v1|v3\\/+portal|auth)(\\/|$)/.test(path)'],
        [PATTERN_OF_PATHS, 'const LINK = /^\\/v3\\/portal\\/download\\//'],
        [PATTERN_OF_PATHS, "  plain.replace(/^(\\/v1\\/user_teams\\/\\d+)&/, '$1?')"],
        [PATTERN_OF_PATHS, '  const pattern = new RegExp(patternOf(path))'],
        [STORAGE, "  globalThis.localStorage.setItem('a', 'b')"],
        [STORAGE, '  const kept = sessionStorage[key]'],
        [LOCK, '  query.forUpdate().execute()'],
        [LOCK, '  sql`select 1 from users FOR UPDATE`'],
        [WAIT, '  await new Promise((done) => setTimeout(done, 20))'],
        [WAIT, 'const later = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref())'],
        [SQL, '  const rows = await sql<number>`select 1`.execute(db)'],
        [SQL, "  ctx.tx.updateTable('users')"],
        [SQL, '    database.prepare("select 1")'],
        [FETCH, "  await fetch('/v3/portal/clients')"],
        [FETCH, '  new EventSource(url)'],
        [KEYS, "    window.addEventListener('keydown', hear)"],
        [KEYS, '  document.onkeyup = hear'],
      ],
      ([pattern, line]) => expect(line).toMatch(pattern),
      ([pattern, line]) => `${pattern} ${line}`,
    )
  })

  test('comments don’t count as code', () => {
    expect('api.refetch(1)').not.toMatch(FETCH)
    expect(codeOf('tests/support/graph.ts')).not.toContain('TypeScript files below')
  })
})
