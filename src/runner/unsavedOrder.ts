import { flushOrders, isOrderOpen, onOrder } from '../commands/questionOrder.ts'

/** Closing the page asks while an order is not written, and begins to write it. */
function onBeforeUnload(event: BeforeUnloadEvent): void {
  flushOrders()
  event.preventDefault()
}
const watchLeaving = () => {
  if (isOrderOpen()) addEventListener('beforeunload', onBeforeUnload)
  else removeEventListener('beforeunload', onBeforeUnload)
}
let isWatching = false

/** From the first list of questions on, leaving the page asks while the order of some is not written. */
export function warnOfUnsavedOrder(): void {
  if (isWatching) return
  isWatching = true
  onOrder(watchLeaving)
}
