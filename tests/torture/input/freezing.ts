import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { HOSTILE, READERS, timeOf } from '../../support/strangersTexts.ts'
import { fiveEdits, openListened } from '../load/streams.ts'
import { assault, attacks, openVictim, residentOf, type Victim } from './freeze.ts'

/** A tenth of a hang. */
const STANDS_STILL_MS = 200
/** A real freeze recurs every round; a delay by other work on the machine doesn't. */
const ROUNDS = 8
/** Garbage collection may take this long to start. */
const MEMORY_WITHIN_MS = 30_000

/** The part `freeze` of `npm run torture`: attacks by 1, 8 and 32 callers, `--lines` KB of NDJSON, slow bodies. */
export async function tortureFreeze(how: How): Promise<Outcome> {
  const victim = await openVictim(await how.database())
  const figures: Outcome['figures'] = {}
  const faults: string[] = []
  try {
    const before = residentOf(victim.server.pid)
    for (const attack of attacks(victim.target, how.number('lines', 256) * 1024)) {
      const worst: string[] = []
      for (const callers of [1, 8, 32]) {
        const rounds: number[] = []
        do {
          const came = await assault(victim, attack, callers)
          rounds.push(came.worst)
          if (came.failed) faults.push(`${attack.name} from ${callers}: ${came.failed} of ${came.asked} /livez were not answered`)
          for (const status of new Set(came.statuses))
            if (status !== 0 && !attack.answers.includes(status)) faults.push(`${attack.name}: answered ${status}`)
        } while (rounds.at(-1)! >= STANDS_STILL_MS && rounds.length < ROUNDS)
        worst.push(rounds.join(' then '))
        if (rounds.at(-1)! >= STANDS_STILL_MS) faults.push(`${attack.name} from ${callers}: /livez took ${rounds.join(', ')} ms`)
      }
      figures[`${attack.name} (worst /livez, ms)`] = worst.join(', ')
    }
    figures['a body that trickles ends after (s)'] = await trickle(victim, faults)
    const most = before + 400
    const deadline = Date.now() + MEMORY_WITHIN_MS
    while (residentOf(victim.server.pid) > most && Date.now() < deadline) await delay(500)
    const after = residentOf(victim.server.pid)
    figures['resident before and after (MB)'] = `${Math.round(before)}, ${Math.round(after)}`
    if (after > most) faults.push('its memory did not come back')
  } finally {
    await victim.server.stop()
  }
  await streams(how, figures, faults)
  Object.assign(figures, await textTimes())
  return { figures, faults }
}

/** How long each reader of strangers' texts takes for its worst text of the longest length, in ms; 5 is the aim. */
async function textTimes(): Promise<Outcome['figures']> {
  const figures: Outcome['figures'] = {}
  for (const [name, { longest, read }] of Object.entries(READERS)) {
    let worst = 0
    for (const unit of HOSTILE)
      worst = Math.max(worst, await timeOf(read, unit.repeat(Math.ceil(longest / unit.length)).slice(0, longest)))
    figures[`${name} of ${longest} characters (ms)`] = worst.toFixed(1)
  }
  return figures
}

/** Makes five edits before hundreds of live streams. */
async function streams(how: How, figures: Outcome['figures'], faults: string[]): Promise<void> {
  const listened = await openListened(await how.database(), 5, 10)
  try {
    const rounds: number[] = []
    do {
      const came = await fiveEdits(listened, 20)
      rounds.push(came.worst)
      faults.push(...came.wrong)
      if (came.failed) faults.push(`${came.streams} live streams: ${came.failed} /livez were not answered`)
      figures[`five edits before ${came.streams} live streams (worst /livez, all told, ms)`] =
        `${rounds.join(' then ')}, ${came.ms}`
    } while (rounds.at(-1)! >= STANDS_STILL_MS && rounds.length < ROUNDS)
    if (rounds.at(-1)! >= STANDS_STILL_MS) faults.push(`live streams: /livez took ${rounds.join(', ')} ms`)
  } finally {
    await listened.server.stop()
  }
}

/** Sends an endless body a byte a second; returns the seconds until it was given up. */
function trickle({ server }: Victim, faults: string[]): Promise<number> {
  const { hostname, port } = new URL(server.url)
  const began = Date.now()
  return new Promise((resolve) => {
    let heard = ''
    const head =
      'POST /v3/portal/switch_back HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{'
    const socket = connect(Number(port), hostname, () => socket.write(head))
    const drip = setInterval(() => socket.writable && socket.write(' '), 1000)
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drip)
      const seconds = Math.round((Date.now() - began) / 1000)
      if (!heard.startsWith('HTTP/1.1 408') || seconds > 90)
        faults.push(`a body that trickles: ${seconds} s, ${heard.slice(0, 12)}`)
      resolve(seconds)
    })
  })
}
