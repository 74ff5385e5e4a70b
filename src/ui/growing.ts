import type { Ref } from 'react'

/** False in browsers without `field-sizing`, whose text areas keep their height. */
const grows = typeof CSS === 'undefined' || CSS.supports('field-sizing', 'content')

function stretch(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`
}

/** Returns the ref of a text area that grows with its content. It runs after each render, which may change the text. */
export function growing(ref?: Ref<HTMLTextAreaElement>): Ref<HTMLTextAreaElement> | undefined {
  if (grows) return ref
  return (field) => {
    if (field) stretch(field)
    if (typeof ref === 'function') return ref(field)
    if (ref) ref.current = field
  }
}
