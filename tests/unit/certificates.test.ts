import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { certificatesOf } from '../../server/core/certificates.ts'
import { readSettings } from '../../server/core/settings.ts'

/** A mail server with the package's own certificate, which nobody trusts; its port. */
async function mailServer(disabledCommands: string[], secure = false): Promise<number> {
  const server = new SMTPServer({ secure, disabledCommands, authOptional: true, disableReverseLookup: true })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
  return (server.server.address() as { port: number }).port
}

test('looks at the certificate of a mail server, with TLS from the first byte or asked for', async () => {
  for (const [scheme, port] of [
    ['smtp', await mailServer([])],
    ['smtps', await mailServer([], true)],
  ] as const) {
    const [seen, ...more] = await certificatesOf(readSettings({ SMTP_URL: `${scheme}://127.0.0.1:${port}` }))
    expect(more).toEqual([])
    expect(seen).toMatchObject({ name: `SMTP_URL (127.0.0.1:${port})`, fault: expect.stringMatching(/CERT|SELF_SIGNED/) })
    expect(seen!.until!.getTime()).toBeGreaterThan(0)
  }
})

test('says nothing of one that has no TLS or isn’t reached, as other checks do', async () => {
  const port = await mailServer(['STARTTLS'])
  expect(await certificatesOf(readSettings({ SMTP_URL: `smtp://127.0.0.1:${port}` }))).toEqual([])
  const DATABASE_URL = 'postgres://a@127.0.0.1:1/b?sslmode=verify-full'
  expect(await certificatesOf(readSettings({ DATABASE_URL, SMTP_URL: 'smtp://[::1]:1' }))).toEqual([])
})

test('a server that is reached and silent has no certificate, and is named', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as { port: number }
  const DATABASE_URL = `postgres://a@127.0.0.1:${port}/b?sslmode=verify-full`
  expect(await certificatesOf(readSettings({ DATABASE_URL }), 300)).toEqual([
    { name: `DATABASE_URL (127.0.0.1:${port})`, until: null, fault: 'no answer within 0.3 s' },
  ])
})
