import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { engine } from '../support/engine.ts'

/** A registry that reports one vulnerability in a package of any version; null: one that doesn't answer audits. */
async function registry(hole: { name: string; severity: string } | null): Promise<string> {
  const server = createServer((request, answer) => {
    const asked = request.url === '/-/npm/v1/security/advisories/bulk' && hole
    const about = { id: 1, url: 'https://holes.test/1', title: 'A hole', vulnerable_versions: '*', cwe: [], cvss: { score: 9 } }
    answer.writeHead(asked ? 200 : 404, { 'content-type': 'application/json' })
    request
      .resume()
      .on('end', () => answer.end(asked ? JSON.stringify({ [hole.name]: [{ ...about, severity: hole.severity }] }) : '{}'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function audit(url: string): Promise<{ code: number | null; out: string }> {
  const env = { ...process.env, npm_config_registry: url, npm_config_audit: 'true', npm_config_fetch_retries: '0' }
  const child = spawn(process.execPath, ['scripts/audit-deps.ts'], { cwd: resolve(import.meta.dirname, '../..'), env })
  let out = ''
  child.stdout.on('data', (text) => (out += String(text)))
  return { code: await new Promise((done) => child.once('close', done)), out }
}

/** Uses no database, so one engine is enough. */
test.runIf(engine === 'sqlite')(
  'npm run audit:deps fails for a serious vulnerability in what ships, and says when it couldn’t check',
  async () => {
    const [ships, tool, silent] = await Promise.all([
      audit(await registry({ name: 'fastify', severity: 'high' })),
      audit(await registry({ name: 'fast-check', severity: 'critical' })),
      audit(await registry(null)),
    ])
    expect([ships.code, ships.out], ships.out).toEqual([1, expect.stringMatching(/high in fastify, which ships.*to review\n$/s)])
    expect([tool.code, tool.out]).toEqual([0, expect.stringMatching(/critical in fast-check, a tool.*Nothing to review\n$/s)])
    expect([silent.code, silent.out]).toEqual([0, expect.stringMatching(/not checked.*vulnerabilities not checked\n$/s)])
  },
  60_000,
)
