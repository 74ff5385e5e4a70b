import { connect } from 'node:net'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { assault, attacks, openVictim, residentOf, type Victim } from './freeze.ts'

/** A tenth of a hang. */
const STANDS_STILL_MS = 200

/** The part `freeze` of `npm run torture`: every attack from 1, 8 and 32 callers, NDJSON of `--lines` KB, and a body that trickles. */
export async function tortureFreeze(how: How): Promise<Outcome> {
  const victim = await openVictim(await how.database())
  const figures: Outcome['figures'] = {}
  const faults: string[] = []
  try {
    const before = residentOf(victim.server.pid)
    for (const attack of attacks(victim.survey, how.number('lines', 256) * 1024)) {
      const worst: number[] = []
      for (const callers of [1, 8, 32]) {
        const came = await assault(victim, attack, callers)
        worst.push(came.worst)
        if (came.failed || came.worst >= STANDS_STILL_MS)
          faults.push(`${attack.name} from ${callers}: /livez took ${came.worst} ms`)
        for (const status of new Set(came.statuses))
          if (status !== 0 && !attack.answers.includes(status)) faults.push(`${attack.name}: answered ${status}`)
      }
      figures[`${attack.name} (worst /livez, ms)`] = worst.join(', ')
    }
    figures['a body that trickles ends after (s)'] = await trickle(victim, faults)
    figures['resident before and after (MB)'] = `${Math.round(before)}, ${Math.round(residentOf(victim.server.pid))}`
    if (residentOf(victim.server.pid) > before + 400) faults.push('its memory did not come back')
    return { figures, faults }
  } finally {
    await victim.server.stop()
  }
}

/** Sends a byte a second of a body that never ends; answers after how many seconds that was given up. */
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
