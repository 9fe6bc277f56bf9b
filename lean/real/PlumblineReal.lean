-- not yet compiled
-- Specs at the real numbers.

import PlumblineReal.Instance
