import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { OWN_OPTIONS, ownOptionsOf, parse, usageOf } from '../../cli/args.ts'
import { completion } from '../../cli/completion.ts'
import { exitOf, linesOf } from '../../cli/errors.ts'
import { helpOfAll, helpOfNoun, helpOfVerb, OWN_WORDS } from '../../cli/help.ts'
import { namesFor } from '../../cli/jobs.ts'
import { Remote } from '../../cli/remote.ts'
import { checkedUrl, connectionOf, credentialsFile, store } from '../../cli/settings.ts'
import { answerText, safeJson, table, widthOf } from '../../cli/show.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { OLDER_CALLS } from '../../contract/olderCalls.ts'
import { RELEASE } from '../../server/core/release.ts'
import { aboutField } from '../../verbs/aboutField.ts'
import { ApiError, UsageError } from '../../verbs/errors.ts'
import { requestOf } from '../../verbs/request.ts'
import { changesOf, commandRows } from '../../verbs/review.ts'
import { plain } from '../../verbs/values.ts'
import { allVerbs, type Field, kebab, nounWords, verbFor, verbNamed } from '../../verbs/verbs.ts'
import { LAUNCHER } from '../support/commandLine.ts'
import { checkRows } from './rows.ts'

const verbs = (Object.keys(calls) as CallId[]).map(verbFor)
const folder = mkdtempSync(join(tmpdir(), 'fieldwork-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Older reads that change something. */
const UNSAFE = new Set<CallId>(['session.actAsByLink', 'runtime.clearFraudByGet', 'entry.clearByLink', 'filter.delete'])

/** A text for an option of this kind, and its parsed value. */
function example({ kind, numbers, words }: Field): [string, unknown] {
  if (kind === 'flag') return ['true', true]
  if (kind === 'json') return ['{"a":1}', { a: 1 }]
  if (kind === 'list') return numbers ? ['3,5', [3, 5]] : ['a,b', ['a', 'b']]
  if (words[0] !== undefined) return [words[0], kind === 'number' ? Number(words[0]) : words[0]]
  return kind === 'number' ? ['7', 7] : ['some words', 'some words']
}

test('an older Node runs it on the Node 24 that npm installed', () => {
  const older = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
  const [version] = execFileSync(process.execPath, ['--import', older, LAUNCHER, '--version'], { encoding: 'utf8' }).split('\n')
  expect(version).toBe(RELEASE)
})

describe('every call of the table', () => {
  test('has a name of two words, and is found by them', () => {
    expect(verbs.length).toBeGreaterThan(400)
    for (const verb of verbs) expect(verbNamed(verb.noun, verb.verb)?.id).toBe(verb.id)
    expect(Object.keys(OWN_WORDS).filter((word) => nounWords.includes(word))).toEqual([])
  })

  test('is offered once: one in an older spelling is in no list, runs by its name, and names the other', () => {
    const offered = new Set(allVerbs().map(({ id }) => id))
    expect(verbs.filter(({ id }) => !offered.has(id)).map(({ id }) => id)).toEqual(
      verbs.filter(({ id }) => OLDER_CALLS[id]).map(({ id }) => id),
    )
    for (const [older, newer] of Object.entries(OLDER_CALLS) as [CallId, CallId][]) {
      expect(offered, older).toContain(newer)
      const { noun, verb } = verbFor(newer)
      expect(helpOfVerb(verbFor(older))).toContain(`“fieldwork ${noun} ${verb}” does the same, in the common names.`)
      expect(calls[older].method === 'GET' && calls[newer].method !== 'GET', `${older} reads`).toBe(Boolean(UNSAFE.has(older)))
    }
    expect(helpOfNoun('location')).not.toContain('older')
    expect(verbNamed('market', 'list')?.id).toBe('market.list')
  })

  test('has options of its own that differ from each other and from the program’s', () => {
    for (const verb of verbs) {
      const options = verb.fields.map(({ option }) => option)
      expect(new Set(options).size, verb.id).toBe(options.length)
      const shared = options.filter((option) => (ownOptionsOf(verb) as string[]).includes(option) && option !== 'dry')
      expect(shared, verb.id).toEqual([])
      for (const option of options) expect(option, verb.id).toMatch(/^[a-z][a-z0-9-]*$/)
    }
  })

  test('has help that describes each option in a sentence', () => {
    for (const verb of verbs) {
      const help = helpOfVerb(verb)
      expect(help, verb.id).toContain(verb.row.about)
      for (const field of verb.fields) {
        expect(help, verb.id).toContain(field.option)
        expect(aboutField(field), `${verb.id} ${field.name}`).toMatch(/\S{3}/)
      }
    }
    for (const noun of nounWords) {
      expect(helpOfAll()).toContain(`  ${noun} `)
      expect(helpOfNoun(noun)).toContain(`${noun}: `)
    }
  })

  test('accepts each of its options, and requests the method and path of its row', () => {
    for (const verb of verbs) {
      const named = verb.fields.filter((field) => !verb.positional.includes(field))
      const argv = [
        ...verb.positional.map((field) => example(field)[0]),
        ...named.flatMap((field) => [`--${field.option}=${example(field)[0]}`]),
      ]
      const typed = parse(verb, argv)
      const meant = Object.fromEntries(verb.fields.map((field) => [field.name, example(field)[1]]))
      expect(typed.input, verb.id).toEqual(meant)
      const request = requestOf(verb, typed)
      expect(request.method).toBe(verb.row.method)
      const [path, query = ''] = request.url.split('?')
      const pattern = verb.row.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')
      expect(path, verb.id).toMatch(new RegExp(`^${pattern}$`))
      const inPath = [...verb.row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const sent = request.body
        ? Object.keys(request.body)
        : [...new Set([...new URLSearchParams(query).keys()].map((key) => key.replace('[]', '')))]
      if (!verb.row.bodiless) expect([...sent, ...inPath].sort(), verb.id).toEqual(verb.fields.map(({ name }) => name).sort())
    }
  })

  test('with a path says which part of it is missing', () => {
    for (const verb of verbs.filter(({ row }) => row.path.includes('{')))
      expect(() => parse(verb, []), verb.id).toThrow(/<[a-z-]+> is missing: fieldwork /)
  })
})

describe('typed input', () => {
  const list = verbFor('project.list')
  test('lists are repeated or use commas, flags need no value, and texts can come from files', () => {
    const path = join(folder, 'note.txt')
    writeFileSync(path, 'From a file')
    const put = verbNamed('note', 'create')!
    expect(parse(put, ['--project-id', '12', '--note', `@${path}`]).input).toEqual({ project_id: 12, note: 'From a file' })
    expect(parse(put, ['--project-id', '12', '--note', '@@robin']).input.note).toBe('@robin')
    const invite = verbNamed('invitation', 'create')!
    expect(parse(invite, ['12', '--partner-ids', '1,2', '--partner-ids', '3', '--no-mail']).input).toEqual({
      id: 12,
      partner_ids: [1, 2, 3],
      mail: false,
    })
    expect(parse(list, ['--mine']).input).toEqual({ mine: true })
    expect(parse(list, ['--']).input).toEqual({})
  })

  test('what is wrong is refused by name', () => {
    checkRows(
      [
        [['--page', 'two'], '--page must be a number, not “two”.'],
        [['--page'], '--page needs a value.'],
        [['--page', '--mine'], '--page needs a value.'],
        [['--page', '1', '--page', '2'], '--page was given twice.'],
        [['--pge', '1'], 'There is no option --pge. Did you mean --page?'],
        [['--all=yes'], '--all takes no value.'],
        [['12'], 'Unexpected “12”: fieldwork project list'],
        [['--token=fwt_x'], 'Others could see a token on the command line. Set FIELDWORK_TOKEN, or use “fieldwork login”.'],
        [['--yes'], 'There is no option --yes.'],
      ],
      ([argv, sentence]) => {
        expect(() => parse(list, argv)).toThrow(new UsageError(sentence))
      },
    )
  })

  test('the usage names what is required', () => {
    expect(usageOf(verbFor('project.goLive'))).toBe('fieldwork project go-live <id>')
    expect(usageOf(verbFor('project.mailPartnerNow'))).toBe('fieldwork project mail-partner-now <partner-id> <project-id>')
    expect(kebab('customFilterURL')).toBe('custom-filter-url')
    expect(Object.keys(OWN_OPTIONS)).toContain('insecure-http')
  })
})

describe('a server', () => {
  const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
  const remoteWith = (answers: (() => Response | Promise<never>)[]) => {
    const sent: { url: string; init: RequestInit }[] = []
    const remote = new Remote({ url: 'https://fieldwork.example.com', token: 'fwt_secret-token' }, (async (
      url: URL | string,
      init: RequestInit,
    ) => {
      sent.push({ url: String(url), init })
      return (answers[sent.length - 1] ?? answers.at(-1)!)()
    }) as typeof fetch)
    return { remote, sent }
  }
  const request = { method: 'POST', url: '/v3/portal/projects', body: { name: 'X' } }

  test('that is busy is retried with the same key, when it says', async () => {
    const { remote, sent } = remoteWith([
      () => answer(503, { message: 'Busy' }, { 'retry-after': '0' }),
      () => answer(429, {}, { 'retry-after': '0' }),
      () => answer(200, { data: 1 }),
    ])
    const waited: string[] = []
    const { value } = await remote.json(request, { key: 'key-of-this', waits: (_, why) => waited.push(why) })
    expect(value).toEqual({ data: 1 })
    const keys = sent.map(({ init }) => (init.headers as Record<string, string>)['idempotency-key'])
    expect(keys).toEqual(['key-of-this', 'key-of-this', 'key-of-this'])
    expect(waited).toEqual(['Busy', 'The server responded with 429.'])
  })

  test('that is unreachable isn’t retried for a write without a key', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }))
    const once = remoteWith([lost])
    await expect(once.remote.json(request)).rejects.toThrow('https://fieldwork.example.com can’t be reached: ECONNRESET.')
    expect(once.sent).toHaveLength(1)
    const again = remoteWith([lost, () => answer(200, {})])
    await again.remote.json(request, { key: 'key-of-this' })
    expect(again.sent).toHaveLength(2)
  })

  test('that may have saved it isn’t asked again without a key', async () => {
    const doubt = () => answer(503, { message: 'It may be saved', code: 'in_doubt' }, { 'retry-after': '0' })
    const once = remoteWith([doubt])
    await expect(once.remote.json(request)).rejects.toThrow('It may be saved')
    expect(once.sent).toHaveLength(1)
    const again = remoteWith([doubt, () => answer(200, {})])
    await again.remote.json(request, { key: 'key-of-this' })
    expect(again.sent).toHaveLength(2)
  })

  test('that redirects gets no token at the new address, and a signed link none at all', async () => {
    const { remote, sent } = remoteWith([() => answer(302, {}, { location: 'https://evil.example.com/' })])
    await expect(remote.json(request)).rejects.toThrow('https://evil.example.com/')
    expect(sent).toHaveLength(1)
    const files = remoteWith([() => answer(200, {})])
    await files.remote.file('https://files.example.com/x?signature=1')
    expect(JSON.stringify(files.sent[0]!.init)).not.toContain('fwt_')
  })

  test('needs https, except on this machine', () => {
    expect(checkedUrl('https://fieldwork.example.com/')).toBe('https://fieldwork.example.com')
    for (const local of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      expect(checkedUrl(local)).toBe(local)
    expect(() => checkedUrl('http://127.0.0.1.example.com')).toThrow('isn’t encrypted')
    expect(checkedUrl('http://10.0.0.1', true)).toBe('http://10.0.0.1')
    for (const wrong of ['fieldwork.example.com', 'ftp://x', 'https://a:b@x.test', 'https://x.test/?a=1'])
      expect(() => checkedUrl(wrong)).toThrow(UsageError)
  })

  test('has its own stored token, which is sent to no other server and which others can’t read', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'config') }
    store(env, { url: 'https://one.example.com', token: 'fwt_one-of-many' })
    expect(connectionOf(env)).toEqual({ url: 'https://one.example.com', token: 'fwt_one-of-many' })
    expect(connectionOf({ ...env, FIELDWORK_URL: 'https://two.example.com' }).token).toBeNull()
    execFileSync('chmod', ['644', credentialsFile(env)])
    expect(() => connectionOf(env)).toThrow('Others can read')
  })
})

describe('output', () => {
  test('money, figures and dates have the workspace’s format, and columns line up', () => {
    const rows = [
      {
        id: 1,
        name: '東京 Snacks',
        users_count: 1250,
        projects_count: 3,
        campaigns_count: 0,
        teams_count: 1,
        created_at: '2025-03-01T10:00:00.000Z',
      },
      {
        id: 22,
        name: 'B',
        users_count: 7,
        projects_count: 12,
        campaigns_count: 0,
        teams_count: 1,
        created_at: '2025-03-01T10:00:00.000Z',
      },
    ]
    const lines = table('client.list', rows).split('\n')
    expect(lines[0]).toBe('ID  Client       Users  Projects  Survey projects  Teams  Since')
    const starts = lines.map((line) => widthOf(line.slice(0, line.search(/Users|1,250|(?<=B +)7/))))
    expect(starts).toEqual([17, 17, 21])
    expect(lines[1]).toMatch(/Mar 1, 2025$/)
    for (const line of table('client.list', rows, 60).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(60)
    // A record has its common names alone.
    const project = { status: 'Quoted', stored_status: 'submit_approval', start_dateP: '03/01/2026', start_dt: '2026-03-01' }
    expect(answerText('project.get', { data: project })).not.toMatch(/Quoted|03\/01/)
    expect(answerText('project.get', { data: project }).split('\n')).toHaveLength(2)
    expect(answerText('entry.list', { data: { amount_cents: 12_500, yes_rate: 12, ok: true } })).toBe(
      'Amount    $125.00\nYes rate  12 %\nOk        yes',
    )
  })

  test('text of a record can’t move a terminal’s cursor', () => {
    expect(plain('a\u001b[2Jb\u009b31mc\u202ed\n')).toBe('a [2Jb 31mc d')
    const json = safeJson('{"a":"\u009b\u202e"}')
    expect(json).toBe('{"a":"\\u009b\\u202e"}')
    expect(JSON.parse(json)).toEqual({ a: '\u009b\u202e' })
  })

  test('an error is shown with its option', () => {
    const fault = new ApiError(422, { message: 'Two are wrong', fields: { id: 'id is required', start_dt: 'is not a date' } })
    expect(linesOf(fault, verbFor('project.edit'))).toEqual([
      'Two are wrong',
      '  <id>: is required',
      '  --start-dt: is not a date',
    ])
    const one = new ApiError(422, { message: 'start_dt is not a date', fields: { start_dt: 'start_dt is not a date' } })
    expect(linesOf(one, verbFor('project.edit'))).toEqual(['--start-dt: is not a date'])
    expect([401, 403, 409, 429, 503, 0].map((status) => exitOf(new ApiError(status, {})))).toEqual([3, 1, 1, 4, 4, 4])
  })

  test('a review names the fields that would change', () => {
    expect(
      changesOf({ status: 'Approved', cost_cents: 100, a: [] }, { status: 'Live', cost_cents: 250, a: [1], lock_version: 2 }),
    ).toEqual(['Status: Approved → Live', 'Cost: $1.00 → $2.50'])
  })

  test('the palette’s command titles are available', async () => {
    const rows = await commandRows()
    expect(rows.size).toBeGreaterThan(200)
    expect(rows.get('project.goLive')?.confirm).toBeTypeOf('function')
  })

  test('a file from a server stays in the working folder', () => {
    const first = (name: string) => namesFor(name).next().value
    expect(['../../etc/passwd', '..\\..\\x.csv', '/a/b.csv', '.bashrc', '', 'a\u0000b'].map(first)).toEqual([
      'passwd',
      'x.csv',
      'b.csv',
      'bashrc',
      'download',
      'a b',
    ])
    const names = namesFor('list.csv')
    expect([names.next().value, names.next().value]).toEqual(['list.csv', 'list (2).csv'])
  })
})

describe('completion', () => {
  const bash = completion('bash')
  /** Bash's completions for a line. */
  function offered(line: string): string[] {
    const words = line.split(' ')
    const script = `${bash}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _fieldwork; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n').filter(Boolean)
  }
  test('for bash offers nouns, verbs, options and their values', () => {
    expect(offered('fieldwork pro')).toEqual(['project', 'proffer', 'promo'])
    expect(offered('fieldwork project go')).toEqual(['go-live'])
    expect(offered('fieldwork project list --st')).toEqual(['--status'])
    expect(offered('fieldwork client list --order ')).toEqual(['asc', 'desc'])
    expect(offered('fieldwork project go-live --')).toEqual(expect.arrayContaining(['--yes', '--dry', '--json']))
  })

  test('for zsh has every offered call', () => {
    const script = completion('zsh')
    for (const { noun, verb } of allVerbs()) expect(script).toContain(`'${noun} ${verb}') offered=(`)
    expect(() => completion('fish')).toThrow('bash and zsh')
  })
})
