import { defineHook } from 'baigong';

export default defineHook({
  on: 'tool:after',
  handler: (event) => {
    console.error(event.on);
  },
});
