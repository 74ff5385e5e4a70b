import type { ClusterAnswer, ClusterAsk, PackedPoint, Place } from './cluster.worker.ts'

type Question = Extract<ClusterAsk, { id: number }>
type Request = Question extends infer Each ? (Each extends Question ? Omit<Each, 'id'> : never) : never

/** Clusters points in a worker, so that a hundred thousand of them never delay a keystroke. */
export class Clusters {
  private worker = new Worker(new URL('./cluster.worker.ts', import.meta.url), { type: 'module' })
  private waiting = new Map<number, (places: Place[]) => void>()
  private last = 0

  constructor(points: PackedPoint[]) {
    this.worker.onmessage = ({ data }: MessageEvent<ClusterAnswer>) => {
      this.waiting.get(data.id)?.(data.places)
      this.waiting.delete(data.id)
    }
    this.load(points)
  }

  /** Replaces the points. */
  load(points: PackedPoint[]): void {
    this.worker.postMessage({ kind: 'load', points } satisfies ClusterAsk)
  }

  /** Returns the places of a view, or the largest of all. */
  ask(question: Request): Promise<Place[]> {
    const id = ++this.last
    return new Promise((resolve) => {
      this.waiting.set(id, resolve)
      this.worker.postMessage({ ...question, id })
    })
  }

  /** Terminates the worker; pending requests never resolve. */
  close(): void {
    this.worker.terminate()
    this.waiting.clear()
  }
}
