import { spawn, spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { leftover } from '../../support/leftovers.ts'
import { freePort } from '../../support/ports.ts'

const root = resolve(import.meta.dirname, '../../..')
const PID_ONE = "data:text/javascript,Object.defineProperty(process, 'pid', { value: 1 })"
const READY = 'Fieldwork is ready at'
/** The longest (ms) that a start on a full folder may take. */
const START_MS = 60_000

/** A server that takes itself for process 1: in a namespace of its own where the machine allows it. */
function container(env: Record<string, string>, port: number, isolates: boolean) {
  const { PATH, HOME } = process.env
  const own = { PATH, HOME, PORT: String(port), HOST: '127.0.0.1', DEMO: 'none', ...env }
  const child = isolates
    ? spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, 'server/main.ts'], { cwd: root, env: own })
    : spawn(process.execPath, ['--import', PID_ONE, 'server/main.ts'], { cwd: root, env: own })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const closed = new Promise<number | null>((done) => child.once('close', done))
  void closed.then(leftover(() => void child.kill('SIGKILL')))
  const settled = async (): Promise<'ready' | 'refused'> => {
    for (const end = performance.now() + START_MS; performance.now() < end; await after(50)) {
      if (printed.includes(READY)) return 'ready'
      if (child.exitCode !== null) return 'refused'
    }
    throw new Error(`a container neither started nor refused; it printed:\n${printed}`)
  }
  return {
    settled,
    printed: () => printed,
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/**
 * The part `containers` of `npm run torture`: two servers with process id 1 on one folder.
 * The second refuses and takes nothing away, and after kill -9 the next one starts at once.
 */
export async function tortureContainers(how: How): Promise<Outcome> {
  const isolates = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0
  how.say(isolates ? 'in namespaces of process ids' : 'no namespaces here: process.pid is set to 1')
  const env = await how.database()
  const faults: string[] = []
  const rounds = how.number('rounds', 20)
  let refused = 0
  for (let round = 1; round <= rounds; round++) {
    const [port, other] = [await freePort(), await freePort()]
    const first = container(env, port, isolates)
    if ((await first.settled()) !== 'ready') {
      faults.push(`round ${round}: after kill -9 the next server didn't start: ${first.printed().slice(-300)}`)
      break
    }
    const rest = await Promise.all(
      [1, 2].map(async () => {
        const late = container(env, other, isolates)
        const how = await late.settled()
        if (how === 'ready') await late.kill()
        return { how, printed: late.printed() }
      }),
    )
    for (const { how, printed } of rest)
      if (how === 'ready') faults.push(`round ${round}: a second server started on the folder`)
      else if (!/Another Fieldwork server \(process 1 on .+\) runs on/.test(printed))
        faults.push(`round ${round}: the second server ended without its sentence: ${printed.slice(-300)}`)
      else refused++
    const alive = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (alive?.status !== 200) faults.push(`round ${round}: the first server is gone`)
    await first.kill()
  }
  return { figures: { 'starts refused': refused, folder: join(env.DATA_DIR!) }, faults }
}
