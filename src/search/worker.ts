import { indexStore } from './indexStore.ts'
import { type Order, startWork } from './workerTasks.ts'

const scope = globalThis as unknown as {
  postMessage: (message: unknown, transfer: Transferable[]) => void
  onmessage: ((event: MessageEvent<Order>) => void) | null
}

const work = startWork((answer, transfer) => scope.postMessage(answer, transfer), indexStore)
scope.onmessage = ({ data }) => void work(data)
