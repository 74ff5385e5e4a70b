import { flushOrders, isOrderOpen, onOrder } from '../commands/questionOrder.ts'

/** Asks before the page closes with an unsaved order, and starts saving it. */
function onBeforeUnload(event: BeforeUnloadEvent): void {
  flushOrders()
  event.preventDefault()
}
const watchLeaving = () => {
  if (isOrderOpen()) addEventListener('beforeunload', onBeforeUnload)
  else removeEventListener('beforeunload', onBeforeUnload)
}
let isWatching = false

/** From the first list of questions on, closing the page asks while an order is unsaved. */
export function warnOfUnsavedOrder(): void {
  if (isWatching) return
  isWatching = true
  onOrder(watchLeaving)
}
