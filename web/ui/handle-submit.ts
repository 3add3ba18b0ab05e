import type { FormEvent } from 'react';

/** Handles a form's submit event in place of the browser. */
export function handleSubmit(send: (data: FormData) => unknown) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(new FormData(event.currentTarget));
  };
}
