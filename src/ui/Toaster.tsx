import { useEffect, useState } from 'react'
import { Toaster as Sonner } from 'sonner'
import 'sonner/dist/styles.css'

const NO_KEYS: string[] = []

/** Focuses the latest toast; returns false if there is none. */
export function focusNotices(): boolean {
  const latest = document.querySelector<HTMLElement>('[data-sonner-toast][data-front=true]')
  latest?.focus()
  return latest !== null
}

/** Renders toasts, once per app, styled by the tokens in light and dark alike. */
export function Toaster() {
  const [dark, setDark] = useState(false)
  useEffect(() => {
    const root = document.documentElement
    const read = () => setDark(root.classList.contains('dark'))
    read()
    const observer = new MutationObserver(read)
    observer.observe(root, { attributes: true, attributeFilter: ['class'] })
    return () => observer.disconnect()
  }, [])
  return (
    // Sonner returns the focus when the toasts lose it.
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the notices in it
    <div
      onFocus={({ target }) => {
        // List items aren't named by their content, so name the toast explicitly.
        const words = [...target.querySelectorAll('[data-title], [data-description]')].map((part) => part.textContent)
        if (target.matches('[data-sonner-toast]')) target.ariaLabel = words.join(' ')
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        ;(document.activeElement as HTMLElement).blur()
      }}
    >
      <Sonner
        theme={dark ? 'dark' : 'light'}
        position="bottom-right"
        offset={{ bottom: 36, right: 12 }}
        mobileOffset={{ bottom: 'calc(var(--keyboard, 0px) + 60px)' }}
        visibleToasts={4}
        closeButton
        customAriaLabel="Notices"
        // Disables Sonner's own hotkey; a command focuses the toasts.
        hotkey={NO_KEYS}
        toastOptions={{
          unstyled: true,
          closeButtonAriaLabel: 'Close notice',
          classNames: {
            toast:
              'flex w-full items-center gap-3 rounded-lg border border-edge bg-raised px-3 py-2.5 font-sans text-body text-ink shadow-float sm:w-90',
            content: 'min-w-0 flex-1',
            title: 'font-medium',
            description: 'text-muted',
            icon: 'shrink-0',
            error: '[&_[data-icon]]:text-red-ink',
            success: '[&_[data-icon]]:text-green-ink',
            actionButton: 'h-6 shrink-0 rounded-md border border-edge px-2 text-meta font-medium hover:bg-hover',
            cancelButton: 'h-6 shrink-0 rounded-md px-2 text-meta text-muted hover:bg-hover',
            closeButton:
              'order-last grid size-6 shrink-0 place-items-center rounded-md bg-transparent! text-muted hover:bg-hover! [&_svg]:size-3',
          },
        }}
      />
    </div>
  )
}
