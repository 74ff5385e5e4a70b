/** Follows the pointer until it is released; losing the pointer cancels. */
function drag(move: (x: number) => void, end: (done: boolean) => void): void {
  const stop = (done: boolean) => {
    removeEventListener('pointermove', moves)
    removeEventListener('pointerup', up)
    removeEventListener('pointercancel', cancel)
    end(done)
  }
  // A release outside the window sends no event, so a move without a pressed button ends the drag.
  const moves = (event: PointerEvent) => (event.buttons & 1 ? move(event.clientX) : stop(false))
  const up = () => stop(true)
  const cancel = () => stop(false)
  addEventListener('pointermove', moves)
  addEventListener('pointerup', up)
  addEventListener('pointercancel', cancel)
}

/** Drags the edge of a header to resize its column; canceling restores the width. */
export function dragEdge(head: HTMLElement, from: number, onWidth: (width: number) => void): void {
  const { width } = head.getBoundingClientRect()
  let moved = false
  drag(
    (x) => {
      moved = true
      onWidth(width + x - from)
    },
    (done) => !done && moved && onWidth(width),
  )
}

const BEGINS_PX = 6
/** Drags a header before another one (by id), or to the end (null). A click without a drag stays a click. */
export function dragHead(head: HTMLElement, from: number, onMove: (before: string | null) => void): void {
  const heads = [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])]
  const own = heads.indexOf(head)
  let target: number | null = null
  const mark = (to: number | null) => {
    target = to
    for (const [at, one] of heads.entries()) {
      const side = to === at ? 'before' : to === heads.length && at === heads.length - 1 ? 'after' : null
      if (side) one.dataset.drop = side
      else delete one.dataset.drop
    }
  }
  drag(
    (x) => {
      if (target === null && Math.abs(x - from) < BEGINS_PX) return
      head.style.opacity = '0.5'
      const at = heads.findIndex((one) => {
        const { left, width } = one.getBoundingClientRect()
        return x < left + width / 2
      })
      mark(at < 0 ? heads.length : at)
    },
    (done) => {
      const to = target
      mark(null)
      head.style.opacity = ''
      if (to === null) return
      // The click that ends a drag must not sort.
      const swallow = (event: Event) => event.stopPropagation()
      head.addEventListener('click', swallow, { capture: true, once: true })
      requestAnimationFrame(() => head.removeEventListener('click', swallow, { capture: true }))
      if (done && to !== own && to !== own + 1) onMove(heads[to]?.dataset.head ?? null)
    },
  )
}
