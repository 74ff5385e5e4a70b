import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { leftover } from '../../support/leftovers.ts'
import { freePort } from '../../support/ports.ts'
import type { Random } from '../random.ts'

const GUIDE = resolve(import.meta.dirname, '../../../docs/hear-of-changes.md')
/** How old a message of the guide's receiver may be (s). */
const TOLERANCE = 300

/** A message with the headers that sign it. */
interface Signed {
  id: string
  seconds: string
  signature: string
  text: string
}

/** Signs a message as Standard Webhooks has it. */
function signed(secret: string, id: string, seconds: number, text: string): Signed {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')}`
  return { id, seconds: String(seconds), signature, text }
}

const now = () => Math.floor(Date.now() / 1000)
const letter = (text: string, random: Random, change: (one: string) => string): string => {
  const at = random.int(0, text.length - 1)
  return text.slice(0, at) + change(text[at]!) + text.slice(at + 1)
}

/** TABLE  what somebody may make of a genuine message without knowing its secret, or later. */
const FORGERIES: Record<string, (message: Signed, random: Random, secrets: { mine: string; own: string }) => Signed> = {
  'another body': (one, random) => ({ ...one, text: letter(one.text, random, (old) => (old === 'x' ? 'y' : 'x')) }),
  'a longer body': (one) => ({ ...one, text: `${one.text} ` }),
  'an empty body': (one) => ({ ...one, text: '' }),
  'another id': (one, random) => ({ ...one, id: letter(one.id, random, (old) => (old === 'x' ? 'y' : 'x')) }),
  'a new id': (one, random) => ({ ...one, id: `msg_${random.int(1, 1e9)}` }),
  'a later time': (one) => ({ ...one, seconds: String(Number(one.seconds) + 1) }),
  'its time as a fraction': (one) => ({ ...one, seconds: `${one.seconds}.0` }),
  'id and time run together': (one) => ({ ...one, id: `${one.id}.${one.seconds}`, seconds: '' }),
  'a signature by another secret': (one, _random, { mine }) => signed(mine, one.id, now(), one.text),
  'many signatures by another secret': (one, _random, { mine }) => {
    const wrong = signed(mine, one.id, now(), one.text)
    return { ...wrong, signature: Array(200).fill(wrong.signature).join(' ') }
  },
  'a signature by an empty secret': (one) => signed('whsec_', one.id, now(), one.text),
  'a signature with another letter': (one, random) => {
    const changed = letter(one.signature.slice('v1,'.length, -1), random, (old) => (old === 'A' ? 'B' : 'A'))
    return { ...one, signature: `v1,${changed}=` }
  },
  'a signature cut short': (one, random) => ({ ...one, signature: one.signature.slice(0, -random.int(1, 43)) }),
  'a signature without a version': (one) => ({ ...one, signature: one.signature.slice(0, 2) }),
  'no signature': (one) => ({ ...one, signature: '' }),
  'a signature of other letters': (one) => ({ ...one, signature: one.signature.toUpperCase() }),
  'a signature in hexadecimal': (one) => ({
    ...one,
    signature: `v1,${Buffer.from(one.signature.slice(3), 'base64').toString('hex')}`,
  }),
  // What somebody caught is genuine, but old.
  'a genuine message, sent again later': (one, random, { own }) =>
    signed(own, one.id, now() - TOLERANCE - random.int(2, 1e6), one.text),
  'a genuine message from the future': (one, random, { own }) =>
    signed(own, one.id, now() + TOLERANCE + random.int(10, 1e6), one.text),
}

/** The receiver of the guide “Hear of changes”, as somebody runs it who copied it. */
async function startGuide(folder: string, secret: string) {
  const script = join(folder, 'receiver.mjs')
  writeFileSync(script, /```js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8'))![1]!)
  const port = await freePort()
  const program: ChildProcess = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = leftover(() => void program.kill('SIGKILL'))
  let printed = ''
  for (const stream of [program.stdout!, program.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const send = ({ id, seconds, signature, text }: Signed): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature },
      body: text,
    }).then(
      ({ status }) => status,
      () => 0,
    )
  const unsigned = { id: 'x', seconds: '0', signature: '', text: '{}' }
  for (const until = Date.now() + 15_000; (await send(unsigned)) !== 401; await after(20))
    if (Date.now() > until) {
      await stop()
      throw new Error(`the receiver of the guide did not start: ${printed}`)
    }
  return { send, printed: () => printed, stop }
}

/**
 * Sends `rounds` of each forgery to the guide’s receiver: it refuses all, and still takes a genuine message.
 * Of one that is sent eight times at once, it works on one.
 */
export async function attackReceiver(
  { folder, own, mine }: { folder: string; own: string; mine: string },
  messages: readonly Pick<Signed, 'id' | 'text'>[],
  random: Random,
  rounds: number,
): Promise<{ sent: number; faults: string[] }> {
  const guide = await startGuide(folder, own)
  const faults: string[] = []
  let sent = 0
  try {
    for (let round = 0; round < rounds; round++)
      for (const [what, forge] of Object.entries(FORGERIES)) {
        const caught = random.pick(messages)
        const status = await guide.send(forge(signed(own, caught.id, now(), caught.text), random, { own, mine }))
        sent++
        if (status !== 401) faults.push(`${what} was answered by ${status}: ${guide.printed().slice(-300)}`)
      }
    if (guide.printed()) faults.push(`a forged message was worked on: ${guide.printed().slice(0, 300)}`)
    const good = signed(own, 'msg_good', now(), JSON.stringify({ type: 'project.updated', data: { id: 7, name: 'Good' } }))
    const statuses = await Promise.all(Array.from({ length: 8 }, () => guide.send(good)))
    if (statuses.some((status) => status !== 204)) faults.push(`a good message was answered by ${statuses}`)
    const wanted = 'project.updated 7 Good\n'
    for (const until = Date.now() + 5000; guide.printed().length < wanted.length && Date.now() < until; ) await after(10)
    if (guide.printed() !== wanted) faults.push(`a good message, sent eight times, was worked on as ${guide.printed()}`)
  } finally {
    await guide.stop()
  }
  return { sent, faults }
}
