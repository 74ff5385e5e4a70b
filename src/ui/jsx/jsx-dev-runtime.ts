import type { JSXSource } from 'react/jsx-dev-runtime'
import * as runtime from 'react/jsx-dev-runtime'
import { withTextApart } from './elements.ts'

// The same while developing, with the places in the source.

export type { JSX } from 'react'
export { Fragment } from 'react/jsx-dev-runtime'

export const jsxDEV = (type: never, own: object, key: string, isStatic: boolean, source?: JSXSource, self?: unknown) => {
  const props = withTextApart(type, own)
  return runtime.jsxDEV(type, props, key, isStatic && Array.isArray(props.children), source, self)
}
