import { type ComponentProps, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { MainAction } from '../../../workspace/MainAction.tsx'

/** The button that sends a small form: at its end, or on a phone in the bar that a thumb reaches. */
export function SubmitButton({ children, ...rest }: Omit<ComponentProps<typeof Button>, 'type' | 'variant' | 'onClick'>) {
  const place = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={place} hidden />
      <MainAction>
        <Button
          {...rest}
          type="submit"
          variant="primary"
          onClick={({ currentTarget }) => {
            const form = place.current?.closest('form')
            // The bar is outside of the form.
            if (form && !form.contains(currentTarget)) form.requestSubmit()
          }}
        >
          {children}
        </Button>
      </MainAction>
    </>
  )
}
