import { readFileSync } from 'node:fs'
import type { TestServer } from '../../support/server.ts'

/** A server's memory by its `--inspect`, in bytes. */
interface Usage {
  usedSize: number
  backingStorageSize?: number
}

export interface Memory {
  /** Resident memory every two seconds, by the system. */
  resident: [seconds: number, megabytes: number][]
  /** Memory still held after a forced collection, at intervals: uncollected garbage is no leak. */
  held: [seconds: number, megabytes: number][]
  stop(): Promise<void>
}

/** Watches a server that runs with {@link WATCHED}. Forced collections lower resident memory, so they are rare. */
export async function watchMemory(server: TestServer, everyMs: number): Promise<Memory> {
  const inspector = await inspectorOf(server)
  const began = Date.now()
  const seconds = () => (Date.now() - began) / 1000
  const memory: Memory = { resident: [], held: [], stop }
  const collect = async () => {
    await inspector.ask('HeapProfiler.collectGarbage')
    const { usedSize, backingStorageSize = 0 } = await inspector.ask<Usage>('Runtime.getHeapUsage')
    memory.held.push([seconds(), (usedSize + backingStorageSize) / 2 ** 20])
  }
  let collecting = collect()
  const often = setInterval(() => memory.resident.push([seconds(), residentOf(server.pid)]), 2000)
  const seldom = setInterval(() => {
    collecting = collecting.then(collect)
  }, everyMs)
  async function stop() {
    clearInterval(often)
    clearInterval(seldom)
    await collecting
    await collect()
    inspector.close()
  }
  return memory
}

/** The environment for watching a server: its inspector, on a free port. */
export const WATCHED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

async function inspectorOf(server: TestServer) {
  const address = /Debugger listening on (ws:\S+)/.exec(server.log())?.[1]
  if (!address) throw new Error('The server did not say where its inspector listens.')
  const socket = new WebSocket(address)
  const waiting = new Map<number, (answer: { result?: unknown; error?: { message: string } }) => void>()
  let serial = 0
  socket.addEventListener('message', (event) => {
    const answer = JSON.parse(String(event.data)) as { id?: number; result?: unknown; error?: { message: string } }
    if (answer.id) waiting.get(answer.id)?.(answer)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The server’s inspector can’t be reached.')))
  })
  return {
    close: () => socket.close(),
    ask: <Answer>(method: string) =>
      new Promise<Answer>((resolve, reject) => {
        const id = ++serial
        waiting.set(id, (answer) => {
          waiting.delete(id)
          if (answer.error) reject(new Error(`${method}: ${answer.error.message}`))
          else resolve(answer.result as Answer)
        })
        socket.send(JSON.stringify({ id, method }))
      }),
  }
}

/** A process's memory now in MB; 0 where the system doesn't say. */
function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Figures to print; the slope covers the second half by least squares, as the first fills caches. */
export function memoryFigures({ resident, held }: Memory): Record<string, string> {
  if (resident.length < 6) return {}
  const everyMinute = resident.filter((one, nth) => nth === 0 || Math.floor(one[0] / 60) > Math.floor(resident[nth - 1]![0] / 60))
  return {
    'resident memory, minute by minute, end (MB)': [...everyMinute, resident.at(-1)!].map((one) => Math.round(one[1])).join(' '),
    'its slope in the second half (MB a minute)': slopeOf(resident).toFixed(2),
    'held after a collection, at the minute (MB)': held
      .map((one) => `${one[1].toFixed(1)} at ${(one[0] / 60).toFixed(1)}`)
      .join(', '),
  }
}

/** Faults if memory grew by more than a tenth (and 5 MB) since mid-run. Runs under five minutes prove nothing. */
export function memoryFaults({ held }: Memory): string[] {
  if (held.length < 3 || held.at(-1)![0] < 300) return []
  const middle = held[Math.floor(held.length / 2)]![1]
  const end = held.at(-1)![1]
  return end > middle * 1.1 + 5
    ? [`memory is not flat: ${middle.toFixed(1)} MB were held in the middle of the run, ${end.toFixed(1)} at its end`]
    : []
}

function slopeOf(memory: [number, number][]): number {
  const half = memory.slice(Math.floor(memory.length / 2))
  const mean = (at: 0 | 1) => half.reduce((sum, one) => sum + one[at], 0) / half.length
  const [x, y] = [mean(0), mean(1)]
  const across = half.reduce((sum, one) => sum + (one[0] - x) ** 2, 0)
  return across ? (half.reduce((sum, one) => sum + (one[0] - x) * (one[1] - y), 0) / across) * 60 : 0
}
