import assert from 'node:assert/strict'
import type { CallId } from '../../../contract/calls.ts'
import { transact } from '../../../server/db/connect.ts'
import { listen, reckonEars } from './ear.ts'
import { type Fleet, PASSWORD } from './fleet.ts'
import { call, type Headers, send, upload } from './send.ts'

/** One promise that holds whichever process answers; throws where it is broken. */
interface Kept {
  name: string
  hold(fleet: Fleet): Promise<void>
}

let serial = 0
/** An address that nothing else comes from, as far as the servers know by the proxy's word. */
const newLine = () => `127.0.${1 + Math.floor(++serial / 250)}.${1 + (serial % 250)}`
const statuses = (answers: readonly { status: number }[]) => answers.map((answer) => answer.status)
const count = (answers: readonly { status: number }[], status: number) => answers.filter((one) => one.status === status).length
const isOk = (answer: { status: number; content: Buffer }) => assert.equal(answer.status, 200, answer.content.toString())
/** The same at every server. */
const everywhere = <T>({ servers }: Fleet, work: (url: string) => Promise<T>) =>
  Promise.all(servers.map((server) => work(server.url)))
const by = (fleet: Fleet, nth: number) => fleet.servers[nth % fleet.servers.length]!.url
async function until<T>(ms: number, look: () => Promise<T | null | false>, what: string): Promise<T> {
  for (const end = Date.now() + ms; ; await new Promise((next) => setTimeout(next, 30))) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`)
  }
}
const ask =
  (fleet: Fleet, headers: Headers = fleet.headers) =>
  <Id extends CallId>(nth: number, id: Id, input: Record<string, unknown> = {}) =>
    call(by(fleet, nth), id, input as never, { headers })
const tokensOf = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, String(headers[name])]))

/** TABLE  what three processes on one PostgreSQL do as one. */
export const TOGETHER: Kept[] = [
  {
    name: 'a session opened by one is good at all, and ended by one it is over at all at once',
    async hold(fleet) {
      const email = fleet.admin.email
      const signIn = () => call(fleet.proxy.url, 'session.signIn', { email, password: PASSWORD }, { from: newLine() })
      const [first, second] = [await signIn(), await signIn()]
      isOk(first)
      const [one, other] = [tokensOf(first.headers), tokensOf(second.headers)]
      assert.deepEqual(
        statuses(await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: one }))),
        [200, 200, 200],
      )
      isOk(await call(by(fleet, 1), 'session.signOut', { client: one.client! }, { headers: one }))
      assert.deepEqual(
        statuses(await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: one }))),
        [401, 401, 401],
      )
      isOk(await call(by(fleet, 2), 'account.endOtherSessions', {}, { headers: other }))
      const left = await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: fleet.headers }))
      assert.deepEqual(statuses(left), [401, 401, 401])
      fleet.headers = other
    },
  },
  {
    name: 'wrong passwords are counted together, and an address that the caller made up counts for nothing',
    async hold(fleet) {
      const { email } = await fleet.make.user()
      const from = newLine()
      const wrong = (at: string, lie: number) =>
        send(`${at}/v3/portal/auth/sign_in`, {
          method: 'POST',
          body: { email, password: 'Wrong-1!' },
          headers: { 'x-forwarded-for': `203.0.113.${lie}` },
          from,
        })
      // All at the same moment: sixteen tries of eight.
      const tries = await Promise.all(Array.from({ length: 16 }, (_, nth) => wrong(fleet.proxy.url, nth)))
      assert.ok(new Set(tries.map((answer) => answer.by)).size === fleet.servers.length, 'not every process was tried')
      assert.equal(count(tries, 401), 8)
      assert.equal(count(tries, 429), 8)
      const after = await Promise.all([1, 2, 3].map((lie) => wrong(fleet.proxy.url, 90 + lie)))
      assert.deepEqual(statuses(after), [429, 429, 429])
    },
  },
  {
    name: 'a limit by address is one limit for all',
    async hold(fleet) {
      const forgot = (from: string) => call(fleet.proxy.url, 'session.forgot', { email: 'nobody@mail.test' }, { from })
      const line = newLine()
      const answers = await Promise.all(Array.from({ length: 15 }, () => forgot(line)))
      assert.equal(count(answers, 200), 10)
      assert.equal(count(answers, 429), 5)
      isOk(await forgot(newLine()))
    },
  },
  {
    name: 'a change written at one is heard at all within a second, and a stream resumes at another without a gap or an echo',
    async hold(fleet) {
      const project = await fleet.make.project({ client_id: fleet.client.id })
      const ears = await everywhere(fleet, (url) => listen(url, fleet.headers))
      const edited = await ask(fleet)(0, 'project.edit', { id: project.id, name: 'Heard everywhere' })
      isOk(edited)
      const [, last = ''] = String(edited.headers['x-live-own']).split('-')
      await until(1000, async () => ears.every((ear) => ear.heard.includes(Number(last))), 'the change is not heard everywhere')
      for (const ear of ears) ear.stop()
      const cursor = ears[0]!.cursor()
      for (let nth = 0; nth < 6; nth++) isOk(await ask(fleet)(nth, 'project.edit', { id: project.id, name: `Name ${nth}` }))
      const resumed = await Promise.all([1, 2].map((nth) => listen(by(fleet, nth), fleet.headers, cursor)))
      try {
        assert.deepEqual(await reckonEars(fleet.database, fleet.admin.id, resumed, 2000), [])
        assert.ok(resumed.every((ear) => ear.heard.length >= 6))
      } finally {
        for (const ear of resumed) ear.stop()
      }
    },
  },
  {
    name: 'a job is done once, and its file is had from every process',
    async hold(fleet) {
      for (let nth = 0; nth < 5; nth++) await fleet.make.project({ client_id: fleet.client.id })
      const begun = await Promise.all(
        Array.from({ length: 9 }, (_, nth) => ask(fleet)(nth, 'export.start', { source: 'projects' })),
      )
      begun.forEach(isOk)
      const jobs = await until(
        15_000,
        async () => {
          const all = await Promise.all(begun.map(({ body }, nth) => ask(fleet)(nth + 1, 'job.get', { id: body.data.id })))
          return all.every(({ body }) => body.data.status === 'done') && all
        },
        'nine exports',
      )
      const links = jobs.map(({ body }) => body.data.download!)
      const files = await Promise.all(links.map((link, nth) => send(by(fleet, nth + 2) + link)))
      assert.ok(files.every((file) => file.status === 200 && file.content.includes('Project')))
      const { db } = fleet.database
      const ids = jobs.map(({ body }) => body.data.id)
      const rows = await db.selectFrom('jobs').select('attempts').where('id', 'in', ids).execute()
      assert.deepEqual(new Set(rows.map((row) => row.attempts)), new Set([1]))
      // Each result names a file of its own, and there are no others since: none was written by two.
      const made = jobs.map(({ body }) => Number(body.data.result.file_id))
      const since = db
        .selectFrom('files')
        .select('id')
        .where('kind', '=', 'export')
        .where('id', '>=', Math.min(...made))
      assert.deepEqual((await since.execute()).map((row) => row.id).sort(), made.sort())
    },
  },
  {
    name: 'how far a job is, is seen from every process while another does it',
    async hold(fleet) {
      const { db } = fleet.database
      const project = await fleet.make.project({ client_id: fleet.client.id })
      // Six batches, each paid over the wire.
      const winners = Array.from({ length: 1200 }, (_, nth) => ({
        project_id: project.id,
        email: `many-${project.id}-${nth}@mail.test`,
      }))
      await fleet.make.entries(winners)
      const rows = await db.selectFrom('entries').select('id').where('project_id', '=', project.id).execute()
      const ids = rows.map((row) => row.id)
      const redeemed = await ask(fleet)(0, 'entry.redeem', { ids, confirm_repeats: true })
      isOk(redeemed)
      const id = redeemed.body.data.job_id!
      const seen = fleet.servers.map((): number[] => [])
      await until(
        15_000,
        async () => {
          const all = await everywhere(fleet, (url) => call(url, 'job.get', { id }, { headers: fleet.headers }))
          for (const [nth, { body }] of all.entries()) if (body.data.status === 'running') seen[nth]!.push(body.data.done)
          return all.every(({ body }) => body.data.status === 'done')
        },
        'a payout of 1,200',
      )
      for (const steps of seen) {
        assert.ok(
          steps.some((done) => done > 0 && done < ids.length),
          `progress was seen as ${steps}`,
        )
        assert.deepEqual(
          steps,
          steps.toSorted((a, b) => a - b),
        )
      }
    },
  },
  {
    name: 'a file brought to one is had from all, whole or in part, and deleted at one it is gone from all and from the store',
    async hold(fleet) {
      const project = await fleet.make.project({ client_id: fleet.client.id })
      const content = Buffer.from(Array.from({ length: 60_000 }, (_, at) => 32 + ((at * 7) % 90)))
      const before = fleet.s3.keys().length
      const brought = await upload(by(fleet, 0), fleet.headers, 'Größe & Maß.txt', content, {
        project_id: String(project.id),
        kind: 'document',
      })
      isOk(brought)
      const [file] = brought.body.data
      assert.equal(fleet.s3.keys().length, before + 1)
      const whole = await everywhere(fleet, (url) => send(url + file!.url))
      assert.ok(whole.every((one) => one.status === 200 && one.content.equals(content)))
      const range = { range: 'bytes=1000-1999', 'if-range': String(whole[0]!.headers.etag) }
      const parts = await everywhere(fleet, (url) => send(url + file!.url, { headers: range }))
      assert.ok(parts.every((part) => part.status === 206 && part.content.equals(content.subarray(1000, 2000))))
      isOk(await ask(fleet)(1, 'file.remove', { id: file!.id }))
      assert.deepEqual(statuses(await everywhere(fleet, (url) => send(url + file!.url))), [404, 404, 404])
      await until(2000, async () => fleet.s3.keys().length === before, 'its content is still in the store')
    },
  },
  {
    name: 'the same done at two processes at once has one effect, and the other is told',
    async hold(fleet) {
      const { db } = fleet.database
      const project = await fleet.make.project({ client_id: fleet.client.id })
      const survey = await fleet.make.survey({ project_id: project.id })
      const rows = Array.from({ length: 40 }, (_, nth) => ({
        respondent_id: `r${nth}`,
        outcome: 'completes',
        gender: 'female',
        age: 3,
      }))
      const batches = await Promise.all([0, 1, 2].map((nth) => ask(fleet)(nth, 'runtime.ingest', { surveyId: survey.id, rows })))
      batches.forEach(isOk)
      const delivered = () => db.selectFrom('projects').select('delivered').where('id', '=', project.id).executeTakeFirstOrThrow()
      assert.equal((await delivered()).delivered, 40)
      const cells = db.selectFrom('day_cells').where('survey_id', '=', survey.id).where('cell', '=', -1)
      const { sum } = await cells.select((eb) => eb.fn.sum<number>('completes').as('sum')).executeTakeFirstOrThrow()
      assert.equal(Number(sum), 40)

      // A write that is sent three times under one name is one write, and each sender hears of it.
      const named = { ...fleet.headers, 'idempotency-key': `a-note-of-${project.id}` }
      const note = { project_id: project.id, note: 'Written once' }
      const notes = await Promise.all([0, 1, 2].map((nth) => call(by(fleet, nth), 'note.create', note, { headers: named })))
      notes.forEach(isOk)
      assert.equal(new Set(notes.map(({ body }) => body.data.id)).size, 1)
      assert.equal(notes.filter(({ headers }) => headers['idempotent-replayed']).length, 2)

      const edits = await Promise.all(
        [0, 1, 2].map((nth) => ask(fleet)(nth, 'project.edit', { id: project.id, name: `By ${nth}`, lock_version: 1 })),
      )
      assert.deepEqual(statuses(edits).sort(), [200, 409, 409])

      const entry = await fleet.make.entry({ project_id: project.id, survey_id: survey.id })
      const paid = await Promise.all(
        [0, 1, 2].map((nth) => ask(fleet)(nth, 'entry.redeem', { ids: [entry.id], confirm_repeats: true })),
      )
      assert.ok(
        paid.every(({ status }) => status === 200 || status === 409),
        String(statuses(paid)),
      )
      const claims = await db
        .selectFrom('history')
        .select('after')
        .where('subject', '=', 'entry')
        .where('subject_id', '=', entry.id)
        .execute()
      assert.equal(claims.filter((line) => line.after.includes('processing')).length, 1)

      const email = `guest${++serial}@mail.test`
      const invited = await Promise.all(
        [0, 1, 2].map((nth) => ask(fleet)(nth, 'user.invite', { email, role_id: 3, client_id: fleet.client.id })),
      )
      assert.equal(count(invited, 200), 1, String(statuses(invited)))
      await fleet.smtp.waitFor((mail) => mail.envelope.to.includes(email))
      assert.equal(fleet.smtp.mails.filter((mail) => mail.envelope.to.includes(email)).length, 1)
    },
  },
  {
    name: 'what one made the others know: snapshots, views, marks, the palette’s changes, settings, keys and acting as somebody',
    async hold(fleet) {
      const at = ask(fleet)
      const layout = JSON.stringify({ columns: [{ panes: [{ path: '/projects' }] }] })
      const snapshot = await at(0, 'snapshot.create', { layout })
      isOk(snapshot)
      const { id } = snapshot.body.data
      assert.deepEqual(
        (await at(1, 'snapshot.get', { id })).body.data.layout,
        (await at(2, 'snapshot.get', { id })).body.data.layout,
      )

      const view = await at(1, 'view.create', {
        screen: 'allProjects',
        name: `Mine ${++serial}`,
        query: 'status=active',
        shared: 'own',
      })
      isOk(view)
      assert.ok((await at(2, 'view.list')).body.data.some((one) => one.id === view.body.data.id))

      const index = await at(0, 'palette.index')
      const project = await fleet.make.project({ client_id: fleet.client.id })
      isOk(await at(1, 'project.edit', { id: project.id, name: 'Found by its new name' }))
      const changes = await at(2, 'palette.index', { since: index.body.cursor })
      assert.ok(changes.body.put.some(([, found, name]) => found === project.id && name === 'Found by its new name'))

      // Marks are read in pieces: five hundred from one process, the rest from another.
      const count = 620
      const word = `Marked${++serial}`
      const kept = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() }
      const many = Array.from({ length: count }, (_, nth) => ({ ...kept, name: `${word} ${nth}` }))
      await transact(fleet.database, (tx) => tx.insertInto('clients').values(many).execute())
      const filter = JSON.stringify({ search: word })
      const first = await at(0, 'list.marks', { list: 'clients', filter, after: 0 })
      const rest = await at(1, 'list.marks', { list: 'clients', filter, after: first.body.next })
      assert.equal(new Set([...first.body.rows, ...rest.body.rows].map(([id]) => id)).size, count)
      assert.equal(rest.body.next, null)

      const product = `Product ${++serial}`
      isOk(await at(0, 'organization.edit', { product }))
      assert.deepEqual(
        (await everywhere(fleet, (url) => call(url, 'organization.config'))).map(({ body }) => body.data.product),
        [product, product, product],
      )

      const key = await at(0, 'key.create', { name: 'Importer' })
      const survey = await fleet.make.survey({ project_id: project.id })
      const byKey = (nth: number) =>
        call(
          by(fleet, nth),
          'runtime.ingest',
          { surveyId: survey.id, rows: [{ respondent_id: `k${nth}`, outcome: 'completes' }] },
          { headers: { authorization: `Bearer ${key.body.data.key}` } },
        )
      isOk(await byKey(1))
      isOk(await at(2, 'key.revoke', { id: key.body.data.id }))
      assert.deepEqual(statuses(await Promise.all([0, 1, 2].map(byKey))), [401, 401, 401])

      const member = await fleet.make.user({ clients: [fleet.client.id] })
      const acting = await at(0, 'session.actAs', { id: member.id, reason: 'To see what they see' })
      isOk(acting)
      const as = tokensOf(acting.headers)
      const seen = await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: as }))
      assert.deepEqual(
        seen.map(({ body }) => body.data.id),
        [member.id, member.id, member.id],
      )
    },
  },
  {
    name: 'an account closed at one loses its sessions and its live streams at all',
    async hold(fleet) {
      const user = await fleet.make.user({ role: 'admin' })
      const one = await fleet.session(user)
      const ears = await everywhere(fleet, (url) => listen(url, one))
      isOk(await ask(fleet)(2, 'user.remove', { id: user.id }))
      await until(1000, async () => ears.every((ear) => ear.refused.includes('401')), 'a stream goes on')
      for (const ear of ears) ear.stop()
      assert.deepEqual(
        statuses(await everywhere(fleet, (url) => call(url, 'session.validate', {}, { headers: one }))),
        [401, 401, 401],
      )
    },
  },
]

/** Holds every promise; answers what was broken. */
export async function holdTogether(fleet: Fleet): Promise<string[]> {
  const faults: string[] = []
  for (const { name, hold } of TOGETHER)
    await hold(fleet).catch((error: Error) => void faults.push(`${name}: ${error.message.split('\n')[0]}`))
  return faults
}
