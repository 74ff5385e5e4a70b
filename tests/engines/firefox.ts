import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chord, type Engine, keyboard, started } from './engine.ts'

/** The second lets the window have the focus, as a user's does: driven Firefox only pretends otherwise. */
const PREFERENCES = [
  ['browser.shell.checkDefaultBrowser', false],
  ['focusmanager.testmode', false],
] as const

/** Starts Firefox without a window, and drives it by WebDriver BiDi, which it speaks itself. */
export async function startFirefox(program: string): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'fieldwork-firefox-'))
  writeFileSync(join(profile, 'user.js'), PREFERENCES.map(([name, value]) => `user_pref("${name}", ${value});\n`).join(''))
  const { child, match } = await started(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'data:text/html,Fieldwork'],
    /WebDriver BiDi listening on (ws:\/\/\S+)/,
  )
  const socket = new WebSocket(`${match[1]}/session`)
  await new Promise((opened, failed) => {
    socket.onopen = opened
    socket.onerror = () => failed(new Error('Firefox takes no connection.'))
  })
  let last = 0
  const waiting = new Map<number, { done(result: never): void; failed(error: Error): void }>()
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data)) as {
      id?: number
      result: never
      error?: string
      message?: string
    }
    const one = waiting.get(id ?? 0)
    if (!one) return
    waiting.delete(id!)
    if (error) one.failed(new Error(`${error}: ${message}`))
    else one.done(result)
  }
  const send = <Result>(method: string, params: object): Promise<Result> =>
    new Promise<Result>((done, failed) => {
      const id = ++last
      waiting.set(id, { done: done as (result: never) => void, failed })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await send('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const { context } = contexts[0]!
  await send('browsingContext.activate', { context })
  const press = async (keys: string) => {
    await send('input.performActions', { context, actions: keyboard(chord(keys)) })
  }
  return {
    async go(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async read<Value>(expression: string) {
      const { result, exceptionDetails } = await send<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
        'script.evaluate',
        { expression: `JSON.stringify(${expression})`, target: { context }, awaitPromise: true },
      )
      if (!result) throw new Error(exceptionDetails?.text)
      return JSON.parse(result.value ?? 'null') as Value
    },
    async keys(sequence) {
      for (const keys of sequence.split(' ')) await press(keys)
    },
    async type(text) {
      for (const letter of text) await press(letter)
    },
    async close() {
      await send('session.end', {}).catch(() => {})
      socket.close()
      child.kill('SIGKILL')
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
