import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../support/ports.ts'
import { chord, type Engine, keyboard, onPath, started } from './engine.ts'

/** Where Debian keeps the small browser that WebKit's driver starts. */
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** Starts a display without a screen, unless there is one. */
async function display(): Promise<{ DISPLAY: string; close(): void }> {
  if (process.env.DISPLAY) return { DISPLAY: process.env.DISPLAY, close: () => {} }
  const args = ['-displayfd', '1', '-screen', '0', '1440x960x24', '-nolisten', 'tcp']
  const { child, match } = await started(onPath('Xvfb')!, args, /^(\d+)$/m)
  return { DISPLAY: `:${match[1]}`, close: () => void child.kill('SIGKILL') }
}

/** Starts WebKitGTK's small browser by its driver. */
export async function startWebKit(program: string): Promise<Engine> {
  const port = await freePort()
  const { DISPLAY, close: closeDisplay } = await display()
  const child = spawn(program, ['-p', String(port)], { stdio: 'ignore', env: { ...process.env, DISPLAY } })
  const send = async <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })
    const { value } = (await answer.json()) as { value: Result & { message?: string } }
    if (!answer.ok) throw new Error(value.message)
    return value
  }
  const options = { binary: MINI_BROWSER, args: ['--automation'] }
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } }
  let begun: { sessionId: string } | null = null
  for (let tries = 0; !begun; tries++) {
    try {
      begun = await send<{ sessionId: string }>('POST', '/session', { capabilities })
    } catch (error) {
      if (tries === 50) {
        child.kill('SIGKILL')
        closeDisplay()
        throw error
      }
      await delay(100)
    }
  }
  const session = `/session/${begun.sessionId}`
  const press = async (keys: string) => {
    await send('POST', `${session}/actions`, { actions: keyboard(chord(keys)) })
  }
  return {
    async go(url) {
      await send('POST', `${session}/url`, { url })
    },
    async read<Value>(expression: string) {
      const script = `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done(JSON.stringify(value)))`
      return JSON.parse((await send<string | null>('POST', `${session}/execute/async`, { script, args: [] })) ?? 'null') as Value
    },
    async keys(sequence) {
      for (const keys of sequence.split(' ')) await press(keys)
    },
    async type(text) {
      for (const letter of text) await press(letter)
    },
    async close() {
      await send('DELETE', session).catch(() => {})
      child.kill('SIGKILL')
      closeDisplay()
    },
  }
}
