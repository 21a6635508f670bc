// Default email templates. The event supplies the description of what happened and the next steps.
export const DEFAULT_TEMPLATES = {
  subject: '{{title}}',
  text: `Hello {{recipientName}},

{{message}}

{{details}}

What to do next:
{{nextSteps}}

{{link}}
`,
  html: `<!doctype html>
<html lang="en">
  <body style="font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:1.5">
    <div style="max-width:640px;margin:0 auto;padding:16px">
      <h1 style="font-size:20px;line-height:1.3">{{title}}</h1>
      <p>Hello {{recipientName}},</p>
      <p>{{message}}</p>
      {{details}}
      <h2 style="font-size:16px">What to do next</h2>
      {{nextSteps}}
      <p>{{link}}</p>
    </div>
  </body>
</html>
`,
} as const;
