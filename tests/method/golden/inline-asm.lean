resources/samples/inline-asm/kernel.cu:9:5: kernel 'relu_kernel' is outside the accepted fragment [inline-asm]
  resources/samples/inline-asm/kernel.cu:9:5: inline assembly [inline-asm]
  next: rewrite the constructs named above
