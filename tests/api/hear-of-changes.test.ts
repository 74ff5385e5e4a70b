import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { WEBHOOK_VERBS, webhookNouns } from '../../contract/webhookNouns.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { freePort } from '../support/ports.ts'
import { randomOf } from '../torture/random.ts'
import { attackReceiver } from '../torture/webhooks/forgeries.ts'
import { receiver } from './receiver.ts'
import { type Fieldwork, fieldwork } from './support.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/hear-of-changes.md'), 'utf8')

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.1' })
})

test('the receiver of “Hear of changes” works as written, and rejects forged, old and repeated messages', async () => {
  const admin = app.as('admin')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const made = await admin.call('webhook.create', { name: 'Guide', url, nouns: ['project'] })
  const script = join(mkdtempSync(join(inject('scratch'), 'hear-')), 'receiver.mjs')
  writeFileSync(script, /```js\n(.*?)```/s.exec(PAGE)![1]!)
  const SECRET = made.body.data.signing_secret
  const program = spawn(process.execPath, [script], { env: { PATH: process.env.PATH, SECRET, PORT: String(port) } })
  closeAfterFile(async () => void program.kill())
  let output = ''
  for (const stream of [program.stdout, program.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const post = (headers: Record<string, string>, body: string) =>
    fetch(url, { method: 'POST', headers, body }).then(({ status }) => status)
  await vi.waitFor(async () => expect(await post({}, '{}')).toBe(401), { timeout: 15_000 })

  // Heard here too, to be sent again as who caught it would.
  const tap = await receiver()
  const { data: copy } = (await admin.call('webhook.create', { name: 'Tap', url: tap.url, nouns: ['project'] })).body
  const { id } = await app.make.project({ client_id: app.client.id })
  await admin.call('project.edit', { id, name: 'Spring tracker' })
  await vi.waitFor(() => expect(output).toBe(`project.updated ${id} Spring tracker\n`), { timeout: 15_000 })

  const [row] = await app.db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', made.body.data.id).execute()
  await admin.call('delivery.replay', { id: row!.id })
  await vi.waitFor(
    async () =>
      expect((await admin.call('delivery.get', { id: row!.id })).body.data).toMatchObject({ status: 'delivered', attempts: 1 }),
    { timeout: 15_000 },
  )
  const [caught] = await tap.heard(() => true)
  const headers = Object.fromEntries(Object.entries(caught!.headers).filter(([name]) => name.startsWith('webhook-'))) as Record<
    string,
    string
  >
  expect(copy.signing_secret).not.toBe(SECRET)
  expect(await post(headers, caught!.text)).toBe(401)
  expect(await post({ ...headers, 'webhook-signature': 'v1,AAAA' }, caught!.text)).toBe(401)
  expect(output).toBe(`project.updated ${id} Spring tracker\n`)
})

test('the receiver of “Hear of changes” refuses whatever somebody makes of a message, and works once on one that is repeated', async () => {
  const [own, mine] = ['own', 'mine'].map((word) => `whsec_${Buffer.from(`secret of ${word}`).toString('base64')}`) as [
    string,
    string,
  ]
  const text = JSON.stringify({ type: 'project.updated', data: { id: 1, name: 'Spring tracker' } })
  const folder = mkdtempSync(join(inject('scratch'), 'forged-'))
  const message = { id: 'msg_2fK9QmZx7cT1bN4sVw8ELrYa', text }
  const { sent, faults } = await attackReceiver({ folder, own, mine }, [message], randomOf(20261127), 5)
  expect(faults).toEqual([])
  expect(sent).toBeGreaterThan(50)
})

test('the guide names every kind of record and each verb', () => {
  for (const noun of webhookNouns) expect(PAGE).toMatch(new RegExp(`\\b${noun}\\b`))
  for (const verb of Object.keys(WEBHOOK_VERBS)) expect(PAGE).toContain(`…${verb}`)
})
