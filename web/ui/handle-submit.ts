import type { FormEvent } from 'react';

/** Sends a form by our own means instead of the browser's. */
export function handleSubmit(send: (data: FormData) => unknown) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(new FormData(event.currentTarget));
  };
}
