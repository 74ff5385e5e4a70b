import type { ReactNode } from 'react'
import { Fragment, jsx } from 'react/jsx-runtime'

/** Elements that may contain only text. */
const TEXT_ALONE = new Set(['text', 'tspan', 'title', 'desc', 'style', 'option', 'textarea', 'script'])
const isText = (child: unknown): child is string | number => typeof child === 'string' || typeof child === 'number'

type Props = { children?: ReactNode }

/**
 * Gives each text among other children an element of its own, and makes neighbouring texts one.
 * Translators and extensions replace text nodes, and React fails when it updates or passes one that is gone.
 * The only text of an element is safe: React then sets the element's content.
 */
export function withTextApart(type: unknown, props: Props): Props {
  const { children } = props
  const host = typeof type === 'string'
  if (!host && type !== Fragment) return props
  if (!Array.isArray(children)) return host || !isText(children) ? props : { ...props, children: apart(children) }
  if (!children.some((child) => isText(child) || Array.isArray(child))) return props
  const joined = join(children)
  if (host && joined.filter((child) => child !== null).every(isText)) return { ...props, children: joined.find(isText) ?? null }
  return host && TEXT_ALONE.has(type) ? props : { ...props, children: joined.map(apart) }
}

/** Joins neighbouring texts into the first; null takes the others' places, as a child is known by its place. */
function join(children: readonly unknown[]): ReactNode[] {
  const joined = [...children] as ReactNode[]
  let text = -1
  for (const [at, child] of joined.entries()) {
    if (!isText(child)) text = -1
    else if (text < 0) {
      text = at
    } else {
      joined[text] = `${joined[text]}${child}`
      joined[at] = null
    }
  }
  return joined
}

/** Blanks alone stay as they are: nothing translates them, and in a row of boxes an element would take room. */
const apart = (child: ReactNode, at = 0): ReactNode => {
  if (Array.isArray(child)) return child.some(isText) ? join(child).map(apart) : child
  return isText(child) && /\S/.test(String(child)) ? jsx('span', { children: child }, `text ${at}`) : child
}
